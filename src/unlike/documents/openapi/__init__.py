"""Descriptions of services (OpenAPI 3.0 and 3.1, Swagger 2) as JSON Schemas of their requests and models."""
