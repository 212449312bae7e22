// Which cluster alerts are banners now (specification sections 3, 4 and 9).
import { proxy } from 'valtio/vanilla';
import { ALERT_BILLING_LABEL, ALERT_LINK_LABEL, type Alert } from '../../contract/clusters.ts';
import { ApiError } from '../../contract/failure.ts';
import { type KeyValueStorage, keys, readJson, writeJson } from './storage.ts';

/** A dismissed banner stays away this long: 24 hours. */
export const DISMISSED_MS = 86_400_000;
/** Below this: info. From here to below DANGER_FROM: warning. */
const WARNING_FROM = 5;
const DANGER_FROM = 10;
/** Alerts that a dashboard deployment hides. */
const upgradeAlerts: ReadonlySet<string> = new Set(['upgrade-suggestion', 'security-patch-available']);

export interface Banner {
  readonly id: string;
  readonly message: string;
  readonly severity: 'info' | 'warning' | 'danger';
  readonly link: string | undefined;
  /** Only a link to the provider's own site can be clicked; any other is plain text. */
  readonly clickable: boolean;
}

export function severityOf(severity: number): Banner['severity'] {
  return severity >= DANGER_FROM ? 'danger' : severity >= WARNING_FROM ? 'warning' : 'info';
}

/** Whether a link may be clicked: https (or the page's own scheme) to exactly the given host. */
export function isProviderLink(link: string, providerOrigin: string): boolean {
  try {
    const url = new URL(link);
    const provider = new URL(providerOrigin);
    return (
      url.host === provider.host &&
      (url.protocol === 'https:' || url.protocol === provider.protocol) &&
      url.username === ''
    );
  } catch {
    return false;
  }
}

export interface AlertPorts {
  readonly storage: KeyValueStorage;
  readonly now: () => number;
  readonly isDashboard: boolean;
  /** The billing flag: billing banners show only when it is on. */
  readonly showsBilling: () => boolean;
  readonly providerOrigin: string;
}

/** The banners of one tab, worst first. */
export function createBanners(ports: AlertPorts) {
  const state = proxy<{ banners: Banner[] }>({ banners: [] });

  const dismissed = (): Record<string, number> => {
    const stored = readJson(ports.storage, keys.disabledAlerts);
    const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
    return Object.fromEntries(entries.filter(([, until]) => typeof until === 'number' && until > ports.now()));
  };
  const load = (alerts: readonly Alert[]): void => {
    const away = dismissed();
    writeJson(ports.storage, keys.disabledAlerts, away);
    const isHidden = ({ metadata: { name, labels } }: Alert): boolean =>
      name in away ||
      (ports.isDashboard && upgradeAlerts.has(name)) ||
      (labels[ALERT_BILLING_LABEL] === 'yes' && !ports.showsBilling());
    state.banners = alerts
      .filter(alert => !isHidden(alert))
      .toSorted((one, other) => other.spec.severity - one.spec.severity)
      .map(alert => {
        const link = alert.metadata.labels[ALERT_LINK_LABEL];
        return {
          id: alert.metadata.name,
          message: alert.spec.message,
          severity: severityOf(alert.spec.severity),
          link,
          clickable: link !== undefined && isProviderLink(link, ports.providerOrigin),
        };
      });
  };
  /** A failure is logged only (specification section 7): a banner that cannot be loaded must not be in anyone's way. */
  const loadFrom = async (
    fetchAlerts: () => Promise<readonly Alert[]>,
    warn: (text: string) => void,
  ): Promise<void> => {
    try {
      load(await fetchAlerts());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      warn(`The alerts could not be loaded: ${error.message}`);
    }
  };
  const dismiss = (id: string): void => {
    state.banners = state.banners.filter(banner => banner.id !== id);
    writeJson(ports.storage, keys.disabledAlerts, { ...dismissed(), [id]: ports.now() + DISMISSED_MS });
  };
  return { state, load, loadFrom, dismiss };
}
export type Banners = ReturnType<typeof createBanners>;
