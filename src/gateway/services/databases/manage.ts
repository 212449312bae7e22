// Databases that people add, change and remove one by one; what they say is held to the same rules as YAML.
import { Failure } from '../../../contract/failure.ts';
import type { Label } from '../../../contract/shapes.ts';
import type { Who } from '../../ports.ts';
import type { Resources } from '../../store/store.ts';

interface WantedDatabase {
  readonly name: string;
  readonly protocol: string;
  readonly uri: string;
  readonly labels: readonly Label[];
  /** PEM; '' = the cluster's own authority. */
  readonly caCert: string;
}
export interface DatabaseParts {
  readonly resources: Pick<Resources, 'get'>;
  /** Resources as YAML. */
  readonly declared: {
    apply(
      files: readonly { readonly name: string; readonly content: string }[],
      options: { readonly by: string },
    ): Promise<{ readonly problems: readonly string[] }>;
    remove(kind: string, name: string, by: string): Promise<void>;
  };
}
export interface Databases {
  /** Throws Failure exists, bad_request. */
  add(wanted: WantedDatabase, by: Who): Promise<void>;
  /** What is undefined stays. Throws Failure not_found, also for what no role of theirs selects, and bad_request. */
  change(
    name: string,
    to: { readonly [Part in 'uri' | 'labels' | 'caCert']: WantedDatabase[Part] | undefined },
    by: Who,
  ): Promise<void>;
  /** Throws Failure not_found, bad_request for what a static configuration holds. */
  remove(name: string, by: Who): Promise<void>;
}

export function createDatabases({ resources, declared }: DatabaseParts): Databases {
  async function apply(name: string, labels: Readonly<Record<string, string>>, spec: object, by: Who): Promise<void> {
    const content = JSON.stringify({ kind: 'db', version: 'v3', metadata: { name, labels }, spec });
    const { problems } = await declared.apply([{ name, content }], { by: by.user });
    if (problems.length > 0) throw new Failure('bad_request', problems.join('; '));
  }
  async function selected(name: string, by: Who) {
    const found = await resources.get('db', name);
    if (!found || !by.rights.selects('db', found.labels)) throw new Failure('not_found', `"${name}" was not found`);
    return found;
  }
  return {
    async add({ name, protocol, uri, labels, caCert }, by) {
      if (await resources.get('db', name)) throw new Failure('exists', `there is a database "${name}" already`);
      await apply(name, asMap(labels), { protocol, uri, ...(caCert !== '' && { tls: { ca_cert: caCert } }) }, by);
    },
    async change(name, { uri, labels, caCert }, by) {
      const found = await selected(name, by);
      const { tls, ...before } = found.spec as { readonly tls?: object };
      const { ca_cert: _gone, ...rest } = { ca_cert: '', ...tls };
      const kept = caCert === undefined ? tls : caCert === '' ? rest : { ...rest, ca_cert: caCert };
      const spec = {
        ...before,
        ...(uri !== undefined && { uri }),
        ...(kept && Object.keys(kept).length > 0 && { tls: kept }),
      };
      const own = Object.entries(found.labels).filter(([label]) => !label.startsWith('postern.internal/'));
      await apply(name, labels ? asMap(labels) : Object.fromEntries(own), spec, by);
    },
    async remove(name, by) {
      await selected(name, by);
      await declared.remove('db', name, by.user);
    },
  };
}

const asMap = (labels: readonly Label[]): Readonly<Record<string, string>> =>
  Object.fromEntries(labels.map(({ name, value }) => [name, value]));
