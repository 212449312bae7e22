// Alerts, shown as banners: who sees which, and what administrators put up and take down.
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { RuleResource, Verb } from '../../../contract/acl.ts';
import type { AdminAnswers } from '../../../contract/admin.ts';
import { ALERT_BILLING_LABEL, ALERT_LINK_LABEL, type Alert } from '../../../contract/clusters.ts';
import type { WebConfig } from '../../../contract/config.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Who } from '../../ports/who.ts';
import type { NewResource, Resource, Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';

/** Most banners at once. */
const ALERTS_MOST = 100;
/** Alerts looked at to find them. */
const ALERTS_READ = 1000;
/** Without one of these an alert is for those who may read alerts. */
const EVERYONE_LABEL = 'postern.internal/alert-permit-all';
/** Whoever has one of the rights it lists, `resource:verb|resource:verb`. */
const VERB_LABEL = 'postern.internal/alert-verb-permit';
/** Says that the gateway put it up itself. */
const RAISED_BY_LABEL = 'postern.internal/raised-by';
/** About releases, which a dashboard does not have (specification section 6). */
const RELEASE_ALERTS: readonly string[] = ['upgrade-suggestion', 'security-patch-available'];
/** Longest title that is kept for searching, characters. */
const TITLE_MOST_CHARACTERS = 255;

const alertSpec = z.object({ severity: z.number(), message: z.string(), created: z.optional(z.string()) });

export interface AlertParts {
  readonly resources: Pick<Resources, 'list' | 'create' | 'put' | 'delete'>;
  /** The deployment: billing and releases are not everybody's. */
  readonly deployment: Pick<WebConfig, 'isCloud' | 'isDashboard'>;
}
export interface Alerts {
  /** Those that the person sees: where there are too many, the gravest stay, the newest of them first. */
  shownTo(who: Who): Promise<readonly Alert[]>;
  /** All, for the gateway's own machine. */
  all(): Promise<readonly AdminAnswers['alert'][]>;
  /** Puts one up that everybody sees. */
  add(wanted: {
    readonly severity: number;
    readonly message: string;
    readonly link?: string | undefined;
    readonly billing?: boolean | undefined;
  }): Promise<AdminAnswers['alert']>;
  /** Throws Failure not_found. */
  remove(name: string): Promise<void>;
  /** Puts up, or anew, what the gateway found itself. Only for who may read alerts: it names machines and folders. */
  raise(
    name: string,
    found: {
      readonly severity: number;
      readonly message: string;
      readonly link?: string | undefined;
      readonly expires: Date;
    },
  ): Promise<void>;
  /** Takes down what the gateway found itself, if it is there. */
  withdraw(name: string): Promise<void>;
}

export function createAlerts({ resources, deployment: { isCloud, isDashboard } }: AlertParts): Alerts {
  return {
    async shownTo(who) {
      const query = { limit: ALERTS_READ, selection: null, count: false };
      const { items } = await resources.list('cluster_alert', query);
      const seesBilling = (isCloud || isDashboard) && who.rights.may('billing', 'list');
      const shown = items.flatMap(alert => {
        const spec = z.safeParse(alertSpec, alert.spec);
        const hidden =
          (isDashboard && RELEASE_ALERTS.includes(alert.name)) ||
          (alert.labels[ALERT_BILLING_LABEL] === 'yes' && !seesBilling);
        return spec.success && !hidden && permitted(alert, who) ? [{ ...alert, spec: spec.data }] : [];
      });
      shown.sort((a, b) => b.spec.severity - a.spec.severity || b.created.getTime() - a.created.getTime());
      return shown.slice(0, ALERTS_MOST).map(({ name, labels, created, expires, spec }) => ({
        kind: 'cluster_alert',
        version: 'v1',
        metadata: { name, labels: { ...labels }, ...(expires ? { expires: expires.toISOString() } : {}) },
        spec: { created: created.toISOString(), ...spec },
      }));
    },
    all: async () => (await allOf(resources, 'cluster_alert', { sort: 'title' })).map(shownToMachine),
    async add({ severity, message, link, billing }) {
      const labels = {
        [EVERYONE_LABEL]: 'yes',
        ...(link !== undefined && { [ALERT_LINK_LABEL]: link }),
        ...(billing && { [ALERT_BILLING_LABEL]: 'yes' }),
      };
      return shownToMachine(
        await resources.create(alertOf(randomUUID(), { severity, message, labels, expires: null })),
      );
    },
    async remove(name) {
      if (!(await resources.delete('cluster_alert', name)))
        throw new Failure('not_found', `there is no alert "${name}"`);
    },
    async raise(name, { link, ...found }) {
      const labels = { [RAISED_BY_LABEL]: 'gateway', ...(link !== undefined && { [ALERT_LINK_LABEL]: link }) };
      await resources.put(alertOf(name, { ...found, labels }));
    },
    async withdraw(name) {
      await resources.delete('cluster_alert', name);
    },
  };
}

const alertOf = (
  name: string,
  alert: Pick<NewResource, 'labels' | 'expires'> & { readonly severity: number; readonly message: string },
): NewResource => ({
  kind: 'cluster_alert',
  name,
  title: alert.message.slice(0, TITLE_MOST_CHARACTERS),
  description: '',
  address: '',
  subtype: '',
  labels: alert.labels,
  words: [],
  spec: { severity: alert.severity, message: alert.message },
  expires: alert.expires,
});

function shownToMachine({ name, title, labels, spec }: Resource): AdminAnswers['alert'] {
  const read = z.safeParse(alertSpec, spec);
  return {
    name,
    severity: read.data?.severity ?? 0,
    message: read.data?.message ?? title,
    link: labels[ALERT_LINK_LABEL] ?? '',
  };
}

function permitted({ name, labels }: Resource, who: Who): boolean {
  if (labels[EVERYONE_LABEL] === 'yes') return true;
  if (who.rights.may('cluster_alert', 'list', { resource: { name, labels } })) return true;
  const needs = labels[VERB_LABEL] ?? '';
  return needs.split('|').some(need => {
    const [resource = '', verb = ''] = need.split(':');
    return resource !== '' && who.rights.may(resource as RuleResource, verb as Verb);
  });
}
