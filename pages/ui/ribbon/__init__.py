"""The ribbon: several runs of one document on one axis, drawn in the browser."""

from pages.ui.ribbon.ribbon import ribbon as ribbon
