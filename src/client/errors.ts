import { ApiError } from '../contract/failure.ts';

/** Any thrown thing as an ApiError, so that screens switch on one type. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('unknown', error instanceof Error && error.message !== '' ? error.message : undefined);
}
