"""What costs money or memory, behind protocols of one method. Nothing is loaded before it is used."""
