"""The settings of a web service, for whoever starts it from a file.

They are a pydantic model, as such things are. Ports are those that need no privileges. Encryption wants a certificate,
debugging is not for production, and there is room in the pool for every worker. The model itself says so, in
validators.

Two files differ: no two are equal. A type is covered, so every choice is in some file.

What it guarantees: files that the model loads, and every stage, level and part that may be there or not in one of them.
"""

from typing import Literal, Self

from pydantic import BaseModel, Field, field_validator, model_validator


class Encryption(BaseModel):
    """What is needed to serve https."""

    certificate: str = Field(pattern=r"^/[a-z]+(/[a-z]+)*\.pem$")
    minimum: Literal["1.2", "1.3"] = "1.3"

    @field_validator("certificate")
    @classmethod
    def lies_with_the_system(cls, value: str) -> str:
        if not value.startswith(("/etc/", "/run/")):
            raise ValueError(f"{value!r} is neither in /etc nor in /run")
        return value


class Settings(BaseModel):
    """Everything that can be set."""

    stage: Literal["local", "testing", "production"]
    host: str = Field(pattern=r"^[a-z]+(\.[a-z]+){0,3}$")
    port: int = Field(ge=1024, le=65535)
    level: Literal["debug", "info", "error"] = "info"
    workers: int = Field(default=1, ge=1, le=64)
    pool: int = Field(default=64, ge=1, le=256)
    encryption: Encryption | None = None

    @model_validator(mode="after")
    def fits_together(self) -> Self:
        if self.stage == "production" and self.level == "debug":
            raise ValueError("no debugging in production")
        if self.stage == "production" and self.encryption is None:
            raise ValueError("production is encrypted")
        if self.pool < self.workers:
            raise ValueError(f"{self.workers} workers do not find room in a pool of {self.pool}")
        return self


settings = Settings
