// What roles let a person do inside a Kubernetes cluster: kind, namespace, name and verb of each request, held against `kubernetes_resources`.
import { CONDITION_WORK, createBudget } from '../../../contract/budget.ts';
import { anyFits } from '../../../contract/pattern.ts';
import type { KubernetesRights } from '../../ports/rights.ts';
import type { Role } from './role.ts';

type Side = 'allow' | 'deny';
/** One entry of `kubernetes_resources`. */
interface KubernetesRule {
  /** `kind` is the plural of requests, such as `pods`. */
  isOf(kind: string): boolean;
  /** Patterns; `*`: any, objects without a namespace as well. */
  readonly namespace: string;
  readonly name: string;
  /** Null: all. */
  readonly verbs: readonly string[] | null;
}

const ANY = '*';
const PODS = 'pods';
/** Names that roles have for kinds whose plural says something else elsewhere. */
const prefixed = /^kube_(?=node|role)/;

/** Whether an entry's kind (`pod`, `pods`, `kube_node`) is the plural that a request has. */
function isKind(written: string, plural: string): boolean {
  const kind = written.toLowerCase().replace(prefixed, '');
  return kind === ANY || [kind, `${kind}s`, `${kind}es`, kind.replace(/y$/, 'ies')].includes(plural);
}

/** The entries of one side of a role. Before version 7 they are about pods, and leave all other kinds to the cluster's own rules. */
export function kubernetesRules(role: Role, side: Side): readonly KubernetesRule[] {
  const written = role[side].source.kubernetes_resources;
  const isOld = role.version < 7;
  const everything = { namespace: ANY, name: ANY, verbs: null };
  const said = (written ?? []).map(({ kind, namespace = ANY, name = ANY, verbs }) => ({
    isOf: (plural: string) => isKind(kind, plural) && (!isOld || plural === PODS),
    namespace,
    name,
    verbs: isOld ? null : (verbs ?? (side === 'deny' ? null : [])),
  }));
  if (side === 'deny') return said;
  if (!isOld) return written ? said : [{ ...everything, isOf: () => true }];
  const pods = written || role.version === 6 ? said : [{ ...everything, isOf: (plural: string) => plural === PODS }];
  return [...pods, { ...everything, isOf: plural => plural !== PODS }];
}

/** `deny` null: everything is denied. */
export function createKubernetesRights(
  allow: readonly KubernetesRule[],
  deny: readonly KubernetesRule[] | null,
): KubernetesRights {
  const fits = (pattern: string, text: string, side: Side): boolean =>
    pattern === ANY || (anyFits([pattern], text, createBudget(CONDITION_WORK)) ?? side === 'deny');
  const concerns = (rule: KubernetesRule, { verb, kind }: { readonly verb: string; readonly kind: string }): boolean =>
    rule.isOf(kind) && (rule.verbs === null || rule.verbs.includes(ANY) || rule.verbs.includes(verb));
  return {
    permits(request) {
      const { namespace, name } = request;
      const covers = (side: Side) => (rule: KubernetesRule) =>
        concerns(rule, request) && fits(rule.namespace, namespace, side) && fits(rule.name, name, side);
      return deny !== null && allow.some(covers('allow')) && !deny.some(covers('deny'));
    },
    reach(of) {
      const { namespace } = of;
      const touches = (side: Side) => (rule: KubernetesRule) =>
        concerns(rule, of) && (namespace === null || fits(rule.namespace, namespace, side));
      const isWhole = (rule: KubernetesRule): boolean =>
        rule.name === ANY && (namespace !== null || rule.namespace === ANY);
      const allowed = allow.filter(touches('allow'));
      const denied = deny?.filter(touches('deny'));
      if (!denied || allowed.length === 0 || denied.some(isWhole)) return 'none';
      return denied.length === 0 && allowed.some(isWhole) ? 'all' : 'some';
    },
  };
}
