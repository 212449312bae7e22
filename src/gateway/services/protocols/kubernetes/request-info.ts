// What a request to an API server is about, by that server's own rules for paths. What is judged is what is sent: the path is taken apart,
// and written anew from its parts.
import { Failure } from '../../../../contract/failure.ts';

export interface RequestInfo {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly path: string;
  /** As roles name it; `exec` and `portforward` as well. */
  readonly verb: string;
  /** Plural; '' where it is about no kind: discovery, health, versions. */
  readonly kind: string;
  readonly group: string;
  /** Null: in all of them, or the kind is in none. */
  readonly namespace: string | null;
  /** Null: it names no object. */
  readonly name: string | null;
  readonly subresource: string;
  readonly query: URLSearchParams;
}

const PATH_MOST_CHARACTERS = 8192;
/** Letters that names and paths of API servers have. `:` and `~` are in names of roles, `=` and `,` in paths that are handed on. */
const segmentShape = /^[A-Za-z0-9._:~@=,+-]{1,512}$/;
const NAMESPACE_PARTS: readonly string[] = ['status', 'finalize'];
const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
/** What is done with the parts of some kinds is more than their method says. */
const partVerbs: Readonly<Record<string, string>> = {
  exec: 'exec',
  attach: 'exec',
  portforward: 'portforward',
  proxy: 'portforward',
  eviction: 'delete',
};

/** Throws Failure bad_request for a path that could be read in more than one way, or a method that is none. */
export function requestInfo(method: string, url: string): RequestInfo {
  const byMethod = verbs[method];
  if (byMethod === undefined) throw new Failure('bad_request', `${method} is nothing that clusters are asked`);
  const { path, segments, query } = readPath(url);
  const said = { method, path, query };
  const [prefix = ''] = segments;
  const group = prefix === 'apis' ? (segments[1] ?? '') : '';
  const rest = prefix === 'api' ? segments.slice(2) : prefix === 'apis' ? segments.slice(3) : [];
  if (rest.length === 0)
    return { ...said, verb: byMethod, kind: '', group: '', namespace: null, name: null, subresource: '' };
  const isOldWatch = rest[0] === 'watch' && rest.length > 1;
  if (rest[0] === 'proxy') throw new Failure('bad_request', 'such paths are those of clusters before 1.10');
  let parts = isOldWatch ? rest.slice(1) : rest;
  let namespace: string | null = null;
  if (parts[0] === 'namespaces' && parts.length > 2 && !NAMESPACE_PARTS.includes(parts[2] ?? '')) {
    namespace = parts[1] ?? '';
    parts = parts.slice(2);
  }
  const [kind = '', name = null, subresource = ''] = parts;
  const watches = isOldWatch || (byMethod === 'get' && isTrue(query.get('watch')));
  const verb =
    partVerbs[subresource] ??
    (watches
      ? 'watch'
      : name !== null
        ? byMethod
        : byMethod === 'get'
          ? 'list'
          : byMethod === 'delete'
            ? 'deletecollection'
            : byMethod);
  return { ...said, verb, kind, group, namespace, name, subresource };
}

function readPath(url: string): { path: string; segments: readonly string[]; query: URLSearchParams } {
  const at = url.indexOf('?');
  const written = at < 0 ? url : url.slice(0, at);
  const ends = written.length > 1 && written.endsWith('/') ? '/' : '';
  const segments = written.slice(1, ends === '' ? undefined : -1).split('/');
  const decoded = segments.map(segment => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return '';
    }
  });
  const isPlain = decoded.every(segment => segmentShape.test(segment) && !/^\.{1,2}$/.test(segment));
  if (url.length > PATH_MOST_CHARACTERS || !written.startsWith('/') || (written !== '/' && !isPlain))
    throw new Failure('bad_request', 'the path has parts that could be read in more than one way');
  // Written anew: what cannot be told from its parts is not sent.
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const path = written === '/' ? '/' : `/${decoded.map(encodeURIComponent).join('/')}${ends}`;
  return { path: query.size > 0 ? `${path}?${query}` : path, segments: decoded.filter(part => part !== ''), query };
}

/** As API servers read a flag of a query: whatever is not a no is a yes. */
const isTrue = (value: string | null): boolean => value !== null && !/^(0|false)$/i.test(value);
