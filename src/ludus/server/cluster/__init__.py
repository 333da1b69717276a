"""Several servers over one PostgreSQL: each table belongs to one of them at a time (docs/decisions/033-leases.md)."""
