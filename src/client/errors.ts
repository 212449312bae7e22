import { ApiError } from '../contract/failure.ts';

/** Any thrown thing as an ApiError, so that screens switch on one type. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('unknown', error instanceof Error && error.message !== '' ? error.message : undefined);
}

/** All of an answer that is a file, which a browser puts away where it is large. Rejects with ApiError where it is cut. */
export const wholeOf = <File>(answer: { blob(): Promise<File> }): Promise<File> =>
  answer.blob().catch(() => {
    throw new ApiError('network');
  });
