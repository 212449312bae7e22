// The scripts by which machines join: one text, and what the gateway says in front of it, each word quoted for a POSIX shell.
import { readFileSync } from 'node:fs';
import type { JoinMethod } from '../../../contract/join-methods.ts';
import type { ScriptedRole } from '../../../contract/join-tokens.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** A word of a POSIX shell, whatever stands in it. */
const quoted = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;

let texts: Readonly<Record<'join' | 'tunnel' | 'prepare' | 'undo' | 'prepareUsers' | 'undoUsers', string>> | undefined;
/** Read when the first is asked for. */
const parts = () => {
  texts ??= {
    join: read('./join.sh'),
    tunnel: read('./tunnel.sh'),
    prepare: read('../../../cli/machine/prepare-server.sh'),
    undo: read('./undo-prepare-server.sh'),
    prepareUsers: read('../../../cli/machine/prepare-users.sh'),
    undoUsers: read('./undo-prepare-users.sh'),
  };
  return texts;
};

/** What keeps a machine's tunnel open, beside what says where to: `tunnel_key`, `gateway`, `known_hosts`, `forwards`. */
export const tunnelScript = (): string => parts().tunnel;

export interface ScriptWords {
  /** Address of the gateway. */
  readonly gateway: string;
  readonly cluster: string;
  readonly token: string;
  readonly role: ScriptedRole;
  /** How the token is proved. */
  readonly method: JoinMethod;
  /** Of an application; '' where the person says it. */
  readonly name: string;
  readonly uri: string;
}

/** A script that lets a machine join. */
export function joinScript({ gateway, cluster, token, role, method, name, uri }: ScriptWords): string {
  const { join, tunnel, prepare, undo, prepareUsers, undoUsers } = parts();
  const words = { gateway, audience: cluster, token, role, method, name, uri };
  const scripts = {
    tunnel_script: tunnel,
    prepare_script: prepare,
    undo_prepare_script: undo,
    prepare_users_script: prepareUsers,
    undo_prepare_users_script: undoUsers,
  };
  const head = Object.entries({ ...words, ...scripts }).map(([variable, value]) => `${variable}=${quoted(value)}`);
  const about = `# Lets this machine join ${cluster.replace(/[^\w .-]/g, '?')}. Whoever has this text can let machines join: keep it to yourself.`;
  return ['#!/bin/sh', about, 'set -eu', ...head, join].join('\n');
}

/** A script that says what is wrong, and fails. */
export const failingScript = (why: string): string =>
  `#!/bin/sh\nprintf 'postern: %s\\n' ${quoted(why.replace(/[\p{Cc}]/gu, ' '))} >&2\nexit 1\n`;
