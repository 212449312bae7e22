// Databases that people add, change and remove one by one.
import type { Label } from '../../../contract/shapes.ts';
import type { Who } from '../../ports/who.ts';
import { createOneByOne, type OneByOne, type OneByOneParts } from '../one-by-one.ts';

interface WantedDatabase {
  readonly name: string;
  readonly protocol: string;
  readonly uri: string;
  readonly labels: readonly Label[];
  /** PEM; '' = the cluster's own authority. */
  readonly caCert: string;
}
/** All throw Failure as `OneByOne` does. */
export interface Databases extends Pick<OneByOne, 'remove'> {
  add(wanted: WantedDatabase, by: Who): Promise<void>;
  /** What is undefined stays. */
  change(
    name: string,
    to: { readonly [Part in 'uri' | 'labels' | 'caCert']: WantedDatabase[Part] | undefined },
    by: Who,
  ): Promise<void>;
}

export function createDatabases(parts: OneByOneParts): Databases {
  const ones = createOneByOne(parts, 'db', 'a database');
  return {
    add: ({ name, protocol, uri, labels, caCert }, by) =>
      ones.add(name, labels, { protocol, uri, ...(caCert !== '' && { tls: { ca_cert: caCert } }) }, by),
    change: (name, { uri, labels, caCert }, by) =>
      ones.change(
        name,
        labels,
        spec => {
          const { tls, ...before } = spec as { readonly tls?: object };
          const { ca_cert: _gone, ...rest } = { ca_cert: '', ...tls };
          const kept = caCert === undefined ? tls : caCert === '' ? rest : { ...rest, ca_cert: caCert };
          return {
            ...before,
            ...(uri !== undefined && { uri }),
            ...(kept && Object.keys(kept).length > 0 && { tls: kept }),
          };
        },
        by,
      ),
    remove: ones.remove,
  };
}
