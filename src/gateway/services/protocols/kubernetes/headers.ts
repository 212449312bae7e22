// Headers of requests to API servers: what belongs to a connection or says who somebody is stays behind, and the gateway says as whom.
import { Failure } from '../../../../contract/failure.ts';

/** What belongs to one connection alone, and what would say who it is: the gateway says that itself. */
const own =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|authorization|cookie|forwarded|x-forwarded-.*|x-remote-.*|impersonate-.*|sec-websocket-extensions)$/i;
const hop = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

const without = (raw: readonly string[], names: RegExp): string[] =>
  raw.flatMap((name, index) => (index % 2 === 0 && !names.test(name) ? [name, raw[index + 1] ?? ''] : []));
const valuesOf = (raw: readonly string[], wanted: string): readonly string[] =>
  raw.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() === wanted ? [Buffer.from(raw[index + 1] ?? '', 'latin1').toString()] : [],
  );
/** The last value of a header; '' where there is none. */
export const headerOf = (raw: readonly string[], name: string): string => valuesOf(raw, name).at(-1) ?? '';

/** Whom a client asks to be taken for, by its headers. Throws Failure denied for what no role can give. */
export function wantedBy(raw: readonly string[]): { readonly kubeUser?: string; readonly kubeGroups?: string[] } {
  const [user, second] = valuesOf(raw, 'impersonate-user');
  const groups = valuesOf(raw, 'impersonate-group');
  const other = raw.find((name, index) => index % 2 === 0 && /^impersonate-(?!(user|group)$)/i.test(name));
  if (other !== undefined || second !== undefined)
    throw new Failure('denied', `${other ?? 'Impersonate-User'} is not taken from clients.`);
  return { ...(user && { kubeUser: user }), ...(groups.length > 0 && { kubeGroups: [...groups] }) };
}

/** Header values are bytes: text goes as UTF-8. Throws Failure denied for what could end a header. */
function asValue(text: string): string {
  if (/[\p{Cc}]/u.test(text)) throw new Failure('denied', 'a user or group there has control characters in its name');
  return Buffer.from(text).toString('latin1');
}
/** What is sent to the API server. */
export const sentHeaders = (
  raw: readonly string[],
  { kubeUser, kubeGroups }: { readonly kubeUser: string; readonly kubeGroups: readonly string[] },
): string[] => [
  ...without(raw, own),
  // A body that had no length has none on its way either.
  ...(headerOf(raw, 'transfer-encoding') === '' ? [] : ['Transfer-Encoding', 'chunked']),
  'Impersonate-User',
  asValue(kubeUser),
  ...kubeGroups.flatMap(group => ['Impersonate-Group', asValue(group)]),
];
/** What clients of clusters print as a warning; '' for nothing. */
export const warningHeaders = (text: string): string[] =>
  text === ''
    ? []
    : ['Warning', `299 - "Postern: ${asValue(text.replaceAll(/\p{Cc}+/gu, ' ')).replaceAll(/["\\]/g, '\\$&')}"`];
/** What is handed on of an answer. `rewritten`: its body is another. */
export const answeredHeaders = (raw: readonly string[], rewritten: boolean): string[] =>
  without(rewritten ? without(raw, /^content-length$/i) : raw, hop);
