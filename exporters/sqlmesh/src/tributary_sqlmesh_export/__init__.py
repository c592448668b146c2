"""Writes a SQLMesh project as a document of the form `service.sqlmesh-project@v1`."""

from importlib.metadata import version

__version__ = version("tributary-sqlmesh-export")
