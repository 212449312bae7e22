// What a role may not hold although it can be read: conditions whose work could grow beyond what any role is given, and conditions of rules
// on what nobody will know when they are asked. Checked when a role is written. One that is stored all the same is bounded while it is
// evaluated, and undecided.
import { Failure } from '../../../contract/failure.ts';
import { isRegular } from '../../../contract/pattern.ts';
import type { Expression } from '../../../contract/predicate.ts';
import { growth } from '../../../contract/predicate-growth.ts';
import { partsOf } from '../../../contract/predicate-syntax.ts';
import { checkRegular } from '../../../contract/regular.ts';
import { type Conditions, labelledKinds, placeOf, principalKeys, type Role, selectorKeys } from './role.ts';
import { misplaced } from './subjects.ts';
import { parseTemplateValue } from './template.ts';

/** Regular expressions of one role together, steps of their programs, and the parts of all its conditions. */
const REGULAR_MOST_STEPS = 20_000;
const PARTS_MOST = 5000;

type Path = readonly (string | number)[];
/** Something of a role that takes work, and where it stands. */
interface Piece {
  readonly path: Path;
  /** Resources that a rule's condition stands beside. */
  readonly resources?: readonly string[];
  readonly expression: Expression | null;
  /** A pattern as it is written. */
  readonly pattern?: string;
}

/** Throws Failure bad_request that names the role and the place. */
export function checkBounds(role: Role): void {
  if (role.options.create_desktop_user === true) {
    const path = ['spec', 'options', 'create_desktop_user'];
    throw new Failure(
      'bad_request',
      `role ${role.name}: ${path.join('.')}: users of desktops are not made from here: that takes a program inside of Windows, and this gateway runs none there. Leave it out, or say false (${placeOf(role.content, path)})`,
    );
  }
  let steps = 0;
  let parts = 0;
  for (const { path, expression, pattern, resources } of pieces(role)) {
    const refuse = (what: string): never => {
      throw new Failure(
        'bad_request',
        `role ${role.name}: ${path.join('.')}: ${what} (${placeOf(role.content, path)})`,
      );
    };
    const why = expression && (growth(expression) ?? (resources ? misplaced(expression, resources) : null));
    if (why) refuse(why);
    if (pattern !== undefined && isRegular(pattern)) steps += checkRegular(pattern).steps;
    if (expression)
      for (const part of partsOf(expression)) {
        parts++;
        if (part.kind === 'call') steps += regularSteps(part);
      }
    if (steps > REGULAR_MOST_STEPS) refuse('with those before it, the regular expressions of this role are too large');
    if (parts > PARTS_MOST)
      refuse(`with those before it, the conditions of this role have more than ${PARTS_MOST} parts`);
  }
}

function* pieces(role: Role): Iterable<Piece> {
  for (const side of ['allow', 'deny'] as const) {
    for (const piece of piecesOf(role[side])) yield { ...piece, path: ['spec', side, ...piece.path] };
  }
}

function* piecesOf({ principals, selectors, rules, joinSessions, requireJoin, source }: Conditions): Iterable<Piece> {
  for (const key of principalKeys)
    for (const [index, template] of principals[key].entries())
      yield { path: [key, index], expression: template.inside };
  for (const [name, texts] of Object.entries(source.request?.annotations ?? {}))
    for (const [index, text] of texts.entries())
      yield { path: ['request', 'annotations', name, index], expression: parseTemplateValue(text).inside };
  for (const kind of labelledKinds) {
    const key = selectorKeys[kind];
    const { labels, expression = null } = selectors[kind] ?? {};
    for (const [name, values] of Object.entries(labels ?? {}))
      for (const { inside, before } of values)
        yield { path: [key, name], expression: inside, ...(inside === null && { pattern: before }) };
    yield { path: [`${key}_expression`], expression };
  }
  for (const [index, { where, resources }] of rules.entries())
    yield { path: ['rules', index, 'where'], expression: where, resources };
  for (const [index, { filter }] of requireJoin.entries())
    yield { path: ['require_session_join', index, 'filter'], expression: filter };
  for (const [index, { roles }] of joinSessions.entries())
    for (const pattern of roles) yield { path: ['join_sessions', index, 'roles'], expression: null, pattern };
}

function regularSteps({ name, args }: Expression & { kind: 'call' }): number {
  const regular = name.startsWith('regexp.') ? args[1] : name === 'labels_matching' ? args[0] : undefined;
  if (regular?.kind !== 'literal' || (name === 'labels_matching' && !isRegular(regular.value))) return 0;
  return checkRegular(regular.value).steps;
}
