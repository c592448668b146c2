"""Reads the query history of a warehouse and writes OpenLineage events."""

from importlib.metadata import version

__version__ = version("tributary-warehouse-export")
