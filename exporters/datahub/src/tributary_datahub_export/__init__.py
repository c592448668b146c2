"""Reads the lineage of a DataHub and writes the export that Tributary takes."""

from importlib.metadata import version

__version__ = version("tributary-datahub-export")
