// An S3-compatible bucket. The only importer of its client, which is loaded with the first call: it costs a gateway without one nothing.
import type { S3Client } from '@aws-sdk/client-s3';
import type { BucketPlace } from '../ports/recordings.ts';

/** The place as people read it, and the address of a thing in it. */
export const bucketUrl = ({ name, prefix }: BucketPlace, key = ''): string => `s3://${name}/${prefix}${key}`;

interface StoredObject {
  /** Without the place's prefix. */
  readonly key: string;
  readonly bytes: number;
  readonly changed: Date;
}

/** What could not be done with the bucket, in a sentence for whoever runs the gateway. */
export class BucketError extends Error {
  override readonly name = 'BucketError';
  /** The server has understood and will not do it, however often it is asked: an upload, say, that it has forgotten. */
  readonly isFinal: boolean;
  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** All keys are without the place's prefix. Each call tries a few times, then throws BucketError. */
export interface Bucket {
  /** Stores it whole. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Begins an upload in parts and answers its id. */
  begin(key: string): Promise<string>;
  /** Stores a part, numbered from 1, and answers its tag. Only the last may be below 5 MiB. */
  part(key: string, upload: string, number: number, bytes: Uint8Array): Promise<string>;
  /** Makes one object of all parts. */
  complete(key: string, upload: string, tags: readonly string[]): Promise<void>;
  /** Bytes of an object that is not empty; null when there is no such object. */
  size(key: string): Promise<number | null>;
  /** Bytes from one place to another. */
  read(key: string, from: number, to: number): Promise<Uint8Array>;
  list(): AsyncGenerator<StoredObject>;
  /** What is not there is removed already. */
  remove(key: string): Promise<void>;
  /** Ends what is under way: it throws. */
  close(): void;
}

/** How often the client tries what fails for the network's or the server's sake. */
const TRIES = 5;
const CONNECT_MOST_MS = 10_000;
/** An answer that does not come for this long is given up, ms: a part of 8 MiB goes over a line of 1 Mbit/s in 67 s. */
const ANSWER_MOST_MS = 120_000;
/** Amazon's servers need the right one, those of others none: the one that all of them take for their own. */
const REGION_OTHERWISE = 'us-east-1';

export function openBucket(place: BucketPlace, answerMostMs = ANSWER_MOST_MS): Bucket {
  const ending = new AbortController();
  let client: S3Client | null = null;

  /** Runs one call of the client. `absent` is answered where the server says that there is no such thing. */
  async function ask<Answer, Absent = never>(
    call: (
      s3: typeof import('@aws-sdk/client-s3'),
      client: S3Client,
      options: { abortSignal: AbortSignal },
    ) => Promise<Answer>,
    absent?: () => Absent,
  ): Promise<Answer | Absent> {
    const s3 = await import('@aws-sdk/client-s3');
    const region = place.region ?? (place.endpoint === null ? null : REGION_OTHERWISE);
    client ??= new s3.S3Client({
      ...(region !== null && { region }),
      ...(place.endpoint !== null && { endpoint: place.endpoint, forcePathStyle: true }),
      maxAttempts: TRIES,
      // Servers other than Amazon's do not know its newer checksums; what arrived is compared byte by byte.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MOST_MS,
        requestTimeout: answerMostMs,
        throwOnRequestTimeout: true,
        socketTimeout: answerMostMs,
      },
    });
    try {
      return await call(s3, client, { abortSignal: ending.signal });
    } catch (error) {
      const status = error instanceof s3.S3ServiceException ? error.$metadata.httpStatusCode : undefined;
      if (absent && status === 404 && (error as Error).name !== 'NoSuchBucket') return absent();
      throw new BucketError(reasonOf(place, error), status === 400 || status === 404);
    }
  }
  const at = (key: string) => ({ Bucket: place.name, Key: place.prefix + key });
  const need = <Value>(value: Value | undefined, what: string): Value => {
    if (value === undefined) throw new Error(`the server left out ${what}`);
    return value;
  };
  return {
    async put(key, bytes) {
      await ask((s3, one, options) => one.send(new s3.PutObjectCommand({ ...at(key), Body: bytes }), options));
    },
    begin: key =>
      ask(async (s3, one, options) => {
        const { UploadId } = await one.send(new s3.CreateMultipartUploadCommand(at(key)), options);
        return need(UploadId, 'the id of the upload');
      }),
    part: (key, upload, number, bytes) =>
      ask(async (s3, one, options) => {
        const part = { ...at(key), UploadId: upload, PartNumber: number, Body: bytes };
        return need((await one.send(new s3.UploadPartCommand(part), options)).ETag, 'the tag of a part');
      }),
    async complete(key, upload, tags) {
      const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
      await ask((s3, one, options) =>
        one.send(
          new s3.CompleteMultipartUploadCommand({ ...at(key), UploadId: upload, MultipartUpload: { Parts } }),
          options,
        ),
      );
    },
    size: key =>
      ask(
        async (s3, one, options) => {
          // A request for the head alone would be refused without words.
          const { Body, ContentRange } = await one.send(
            new s3.GetObjectCommand({ ...at(key), Range: 'bytes=0-0' }),
            options,
          );
          await Body?.transformToByteArray();
          return Number(need(/\/(\d+)$/.exec(ContentRange ?? '')?.[1], 'the size'));
        },
        () => null,
      ),
    read: (key, from, to) =>
      ask(async (s3, one, options) => {
        // The client tries the call again, but not the reading of its answer.
        for (let tries = 1; ; tries += 1) {
          try {
            const command = new s3.GetObjectCommand({ ...at(key), Range: `bytes=${from}-${to - 1}` });
            const bytes = await need((await one.send(command, options)).Body, 'the bytes').transformToByteArray();
            if (bytes.length !== to - from) throw new Error(`${bytes.length} bytes came of ${to - from}`);
            return bytes;
          } catch (error) {
            if (error instanceof s3.S3ServiceException || tries === TRIES || ending.signal.aborted) throw error;
          }
        }
      }),
    async *list() {
      let next: string | undefined;
      do {
        const after = next;
        const page = await ask((s3, one, options) =>
          one.send(
            new s3.ListObjectsV2Command({
              Bucket: place.name,
              Prefix: place.prefix,
              ...(after !== undefined && { ContinuationToken: after }),
            }),
            options,
          ),
        );
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
          yield { key: Key.slice(place.prefix.length), bytes: Size, changed: LastModified };
        next = page.NextContinuationToken;
      } while (next !== undefined);
    },
    async remove(key) {
      await ask(
        (s3, one, options) => one.send(new s3.DeleteObjectCommand(at(key)), options),
        () => null,
      );
    },
    close() {
      ending.abort();
      client?.destroy();
    },
  };
}

/** What each refusal means for whoever runs the gateway. */
const meanings: Readonly<Record<string, (place: BucketPlace) => string>> = {
  NoSuchBucket: ({ name }) => `there is no bucket "${name}"`,
  InvalidAccessKeyId: () => 'the access key is not known there',
  SignatureDoesNotMatch: () => 'the secret of the access key is wrong',
  ExpiredToken: () => 'the credentials have ended',
  AccessDenied: ({ name }) => `the credentials may not do that in bucket "${name}"`,
  PermanentRedirect: ({ name }) => `bucket "${name}" is in another region: name it with ?region=`,
  CredentialsProviderError: () => 'there are no credentials: neither in the environment nor from the machine',
};
function reasonOf(place: BucketPlace, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return meanings[error.name]?.(place) ?? (error.message === '' ? error.name : error.message);
}
