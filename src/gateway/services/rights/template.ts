// Values with `{{templates}}`: what a role writes once and each person's traits fill in.
import type { Budget } from '../../../contract/budget.ts';
import { type Expression, PredicateError, parseTemplate, valuesOf } from '../../../contract/predicate.ts';
import type { Traits } from '../../ports/rights.ts';

/** A value of a role, in the pieces around its template. */
export interface Template {
  readonly before: string;
  /** Null: the value is plain text and `before` is all of it. */
  readonly inside: Expression | null;
  readonly after: string;
}

/** Traits that `internal` offers; any trait may stand under `external`. */
const internalTraits = [
  'logins',
  'db_users',
  'db_names',
  'db_roles',
  'kubernetes_users',
  'kubernetes_groups',
  'windows_logins',
  'aws_role_arns',
  'azure_identities',
  'gcp_service_accounts',
];
/** Most values one template may stand for. */
const VALUES_MOST = 1000;

/** Reads a value. Throws PredicateError when what stands between the braces cannot be read. */
export function parseTemplateValue(text: string): Template {
  const start = text.indexOf('{{');
  const end = text.lastIndexOf('}}');
  if (start < 0 && end < 0) return { before: text, inside: null, after: '' };
  if (start < 0 || end < start)
    throw new PredicateError('a template begins with {{ and ends with }}', Math.max(start, end, 0));
  const inside = parseTemplate(text.slice(start + 2, end));
  checkFields(inside);
  return { before: text.slice(0, start), inside, after: text.slice(end + 2) };
}

function checkFields(expression: Expression): void {
  if (expression.kind === 'call') expression.args.forEach(checkFields);
  if (expression.kind !== 'field') return;
  const [root, trait] = expression.path;
  if (root === 'internal' && trait !== undefined && !internalTraits.includes(trait))
    throw new PredicateError(`internal has no trait ${trait}; it has ${internalTraits.join(', ')}`, 0);
}

/** The values a template stands for, given a person's traits. A trait that is not there gives none. Throws TooMuchWork. */
export function fillTemplate(template: Template, traits: Traits, budget: Budget): readonly string[] {
  budget.steps(1);
  if (!template.inside) return [template.before];
  const around = template.before.length + template.after.length;
  return valuesOf(template.inside, { internal: traits, external: traits }, budget)
    .filter(value => value !== '')
    .slice(0, VALUES_MOST)
    .map(value => {
      budget.characters(around + value.length);
      return template.before + value + template.after;
    });
}
