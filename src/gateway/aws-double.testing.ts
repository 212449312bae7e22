// AWS for tests, where there is none: STS as its published model has it (version 2011-06-15, protocol awsQuery, Signature Version 4, whose
// signature is computed anew here), and the federation endpoint as the IAM user guide describes it.
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The long-term credentials that it knows. */
export const AWS_KEYS = { id: 'AKIAEXAMPLEEXAMPLE00', secret: 'a-secret-of-the-gateway' };
const TEMPORARY = { sessionId: 'ASIATEMPORARY0000000', sessionKey: 'temporary+key/', sessionToken: 'token=' };
const SIGN_IN_TOKEN = 'signs+in=once';

export interface AwsDouble {
  readonly url: string;
  /** What STS was asked, the newest last. */
  readonly assumed: URLSearchParams[];
  /** Addresses that it was asked for by the gateway. */
  readonly asked: string[];
  close(): void;
}
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether a request is signed with the known credentials (AWS, "Create a signed AWS API request"). */
function isSigned({ method = '', url = '', headers }: IncomingMessage, body: string): boolean {
  const [, id, day, region, service, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/(\w+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (id !== AWS_KEYS.id || !day || !region || service !== 'sts') return false;
  const lines = names.split(';').map(name => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url, '', lines.join(''), names, hash(body)].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${AWS_KEYS.secret}`);
  return hmac(key, text).toString('hex') === signature;
}
const xmlError = (code: string, message: string): string =>
  `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`;

/** What is wrong with an AssumeRole by the constraints of the model. */
function invalid(asked: URLSearchParams): string | null {
  const [arn, name, seconds] = ['RoleArn', 'RoleSessionName', 'DurationSeconds'].map(key => asked.get(key) ?? '');
  if (asked.get('Version') !== '2011-06-15' || asked.get('Action') !== 'AssumeRole') return 'InvalidAction';
  if (!arn || arn.length < 20 || arn.length > 2048) return 'RoleArn';
  if (!/^[\w+=,.@-]{2,64}$/.test(name ?? '')) return 'RoleSessionName';
  return Number(seconds) >= 900 && Number(seconds) <= 43_200 ? null : 'DurationSeconds';
}

export async function openAwsDouble(): Promise<AwsDouble> {
  const assumed: URLSearchParams[] = [];
  const asked: string[] = [];
  const server = createServer(async (request, answer) => {
    let body = '';
    for await (const piece of request) body += piece;
    asked.push(request.url ?? '');
    const form = new URLSearchParams(body);
    if (request.url === '/federation') {
      const session = form.get('Action') === 'getSigninToken' ? JSON.parse(form.get('Session') ?? 'null') : null;
      const isKnown = JSON.stringify(session) === JSON.stringify(TEMPORARY);
      answer.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' });
      return void answer.end(isKnown ? JSON.stringify({ SigninToken: SIGN_IN_TOKEN }) : 'Bad Request');
    }
    answer.setHeader('content-type', 'text/xml');
    const wrong = invalid(form);
    if (!isSigned(request, body)) {
      answer.writeHead(403).end(xmlError('SignatureDoesNotMatch', 'The signature does not match'));
    } else if (wrong) answer.writeHead(400).end(xmlError('ValidationError', wrong));
    else if (form.get('RoleArn')?.endsWith('/NotTrusting'))
      answer.writeHead(403).end(xmlError('AccessDenied', 'User is not authorized to perform: sts:AssumeRole'));
    else {
      assumed.push(form);
      answer.end(
        `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials><AccessKeyId>${TEMPORARY.sessionId}</AccessKeyId><SecretAccessKey>${TEMPORARY.sessionKey}</SecretAccessKey><SessionToken>${TEMPORARY.sessionToken}</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration></Credentials><AssumedRoleUser><AssumedRoleId>AROA:x</AssumedRoleId><Arn>arn:aws:sts::1:assumed-role/x/y</Arn></AssumedRoleUser></AssumeRoleResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></AssumeRoleResponse>`,
      );
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    assumed,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
