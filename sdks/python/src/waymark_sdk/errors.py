"""A class for each error code of the API. Made by npm run generate."""

from __future__ import annotations

from ._errors import ApiError


class ValidationError(ApiError):
    """400 VALIDATION_ERROR"""


class SecondFactorRequiredError(ApiError):
    """401 SECOND_FACTOR_REQUIRED"""


class UnauthorizedError(ApiError):
    """401 UNAUTHORIZED"""


class PlanGateError(ApiError):
    """402 PLAN_GATE"""


class ForbiddenError(ApiError):
    """403 FORBIDDEN"""


class InsufficientScopeError(ApiError):
    """403 INSUFFICIENT_SCOPE"""


class WorkspaceMismatchError(ApiError):
    """403 WORKSPACE_MISMATCH"""


class NotFoundError(ApiError):
    """404 NOT_FOUND"""


class RequestTimeoutError(ApiError):
    """408 REQUEST_TIMEOUT"""


class ApprovalRequiredError(ApiError):
    """409 APPROVAL_REQUIRED"""


class ConflictError(ApiError):
    """409 CONFLICT"""


class LimitExceededError(ApiError):
    """409 LIMIT_EXCEEDED"""


class PositionGoneError(ApiError):
    """410 POSITION_GONE"""


class PreconditionFailedError(ApiError):
    """412 PRECONDITION_FAILED"""


class PayloadTooLargeError(ApiError):
    """413 PAYLOAD_TOO_LARGE"""


class UriTooLongError(ApiError):
    """414 URI_TOO_LONG"""


class UnsupportedMediaTypeError(ApiError):
    """415 UNSUPPORTED_MEDIA_TYPE"""


class IdempotencyMismatchError(ApiError):
    """422 IDEMPOTENCY_MISMATCH"""


class PreconditionRequiredError(ApiError):
    """428 PRECONDITION_REQUIRED"""


class RateLimitedError(ApiError):
    """429 RATE_LIMITED"""


class RequestHeaderFieldsTooLargeError(ApiError):
    """431 REQUEST_HEADER_FIELDS_TOO_LARGE"""


class InternalError(ApiError):
    """500 INTERNAL_ERROR"""


class DatabaseNotConfiguredError(ApiError):
    """503 DATABASE_NOT_CONFIGURED"""


class ServiceUnavailableError(ApiError):
    """503 SERVICE_UNAVAILABLE"""


ERRORS: dict[str, type[ApiError]] = {
    "VALIDATION_ERROR": ValidationError,
    "SECOND_FACTOR_REQUIRED": SecondFactorRequiredError,
    "UNAUTHORIZED": UnauthorizedError,
    "PLAN_GATE": PlanGateError,
    "FORBIDDEN": ForbiddenError,
    "INSUFFICIENT_SCOPE": InsufficientScopeError,
    "WORKSPACE_MISMATCH": WorkspaceMismatchError,
    "NOT_FOUND": NotFoundError,
    "REQUEST_TIMEOUT": RequestTimeoutError,
    "APPROVAL_REQUIRED": ApprovalRequiredError,
    "CONFLICT": ConflictError,
    "LIMIT_EXCEEDED": LimitExceededError,
    "POSITION_GONE": PositionGoneError,
    "PRECONDITION_FAILED": PreconditionFailedError,
    "PAYLOAD_TOO_LARGE": PayloadTooLargeError,
    "URI_TOO_LONG": UriTooLongError,
    "UNSUPPORTED_MEDIA_TYPE": UnsupportedMediaTypeError,
    "IDEMPOTENCY_MISMATCH": IdempotencyMismatchError,
    "PRECONDITION_REQUIRED": PreconditionRequiredError,
    "RATE_LIMITED": RateLimitedError,
    "REQUEST_HEADER_FIELDS_TOO_LARGE": RequestHeaderFieldsTooLargeError,
    "INTERNAL_ERROR": InternalError,
    "DATABASE_NOT_CONFIGURED": DatabaseNotConfiguredError,
    "SERVICE_UNAVAILABLE": ServiceUnavailableError,
}
"""The classes by code. A code that this version does not know is an ApiError."""
