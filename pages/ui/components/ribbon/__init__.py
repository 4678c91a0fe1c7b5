"""The ribbon: several runs of one document on one axis, drawn in the browser."""

from pages.ui.components.ribbon.ribbon import ribbon as ribbon
