// What roles may guard inside sessions: kinds of statements, tables and columns, and what becomes of a statement that a guard is about.

/** What a statement does, as guards name it. One may be several of them. */
export const statementKinds = [
  'write',
  'update_without_where',
  'delete_without_where',
  'ddl',
  'grant',
  'copy',
  'copy_program',
] as const;
export type StatementKind = (typeof statementKinds)[number];

/**
 * From the mildest on: the person is told, columns are handed out with their values hidden, what is done waits until somebody has allowed it,
 * or it is not done.
 */
export const guardEffects = ['warn', 'mask', 'ask', 'block'] as const;
export type GuardEffect = (typeof guardEffects)[number];
/** What a guard does, as sentences say it. */
export const effectWords: Readonly<Record<GuardEffect, string>> = {
  warn: 'warns of',
  mask: 'masks',
  ask: 'asks about',
  block: 'blocks',
};

/** Kinds of resources that guards are about: what is done inside of each is guarded by rules of its own. */
export type GuardedKind = 'db' | 'kube_cluster';

/** Protocols whose statements can be looked into, and whose answers can be taken apart. */
const guardedProtocols: ReadonlySet<string> = new Set(['postgres', 'mysql']);

/** Whether a guard is about what clients of this protocol do: of commands and keys speaks Redis alone. */
export const speaksOf = (
  guard: { readonly commands?: readonly string[] | undefined; readonly keys?: readonly string[] | undefined },
  protocol: string,
): boolean => ((guard.commands ?? guard.keys) ? protocol === 'redis' : protocol !== 'redis');
/** Why a guard keeps people from databases of this protocol as a whole: what it is about cannot be seen there. */
export function isBlind(
  guard: Parameters<typeof speaksOf>[0] & { readonly effect: GuardEffect },
  protocol: string,
): boolean {
  if (guard.effect === 'warn') return false;
  if (guard.commands ?? guard.keys) return protocol !== 'redis' && !guardedProtocols.has(protocol);
  return !guardedProtocols.has(protocol);
}

const words: Readonly<Record<StatementKind, string>> = {
  write: 'statements that write',
  update_without_where: 'update without where',
  delete_without_where: 'delete without where',
  ddl: 'changes of tables and other objects',
  grant: 'changes of rights and roles',
  copy: 'copy',
  copy_program: 'copy to or from a program',
};

/** What a guard is about, in words, such as `delete without where on orders.*`. */
export function guardWords(guard: {
  readonly effect?: GuardEffect;
  readonly statements?: readonly StatementKind[] | undefined;
  readonly tables?: readonly string[] | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly verbs?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly commands?: readonly string[] | undefined;
  readonly keys?: readonly string[] | undefined;
}): string {
  if (guard.effect === 'mask') return `column ${guard.columns?.join(', ') ?? ''}`;
  const { verbs, kinds, names, namespaces } = guard;
  if (verbs ?? kinds)
    return [
      verbs?.join(', ') ?? 'whatever is done with',
      ...(kinds ? [kinds.join(', ')] : []),
      ...(names ? [`named ${names.join(', ')}`] : []),
      ...(namespaces ? [`in namespace ${namespaces.join(', ')}`] : []),
    ].join(' ');
  if (guard.commands ?? guard.keys)
    return [
      guard.commands ? `command ${guard.commands.join(', ')}` : 'commands',
      ...(guard.keys ? [`on key ${guard.keys.join(', ')}`] : []),
    ].join(' ');
  const what = guard.statements?.map(kind => words[kind]).join(', ') ?? 'statements';
  const where = [
    ...(guard.tables ? [`on ${guard.tables.join(', ')}`] : []),
    ...(guard.columns ? [`with column ${guard.columns.join(', ')}`] : []),
  ];
  return [what, ...where].join(' ');
}
