"""Descriptions of services (OpenAPI, Swagger) as JSON Schemas of their requests and models."""
