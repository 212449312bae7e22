import { X } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { joined } from '../ui/joined.ts';
import type { Banners } from './alerts.ts';
import styles from './banners.module.css';

/** Cluster alerts, 38 px each, worst first. */
export function BannerList({
  banners,
  onFollow,
}: {
  readonly banners: Banners;
  readonly onFollow: (alert: string) => void;
}) {
  const { banners: shown } = useSnapshot(banners.state);
  return shown.map(banner => (
    <div
      key={banner.id}
      className={joined(styles.banner, styles[banner.severity])}
      role={banner.severity === 'danger' ? 'alert' : 'status'}
    >
      <p className={styles.text}>
        {banner.link !== undefined && banner.clickable ? (
          <a href={banner.link} target="_blank" rel="noopener noreferrer" onClick={() => onFollow(banner.id)}>
            {banner.message}
          </a>
        ) : (
          <>
            {banner.message}
            {banner.link !== undefined && ` ${banner.link}`}
          </>
        )}
      </p>
      <button
        type="button"
        className={styles.close}
        aria-label={`Dismiss: ${banner.message}`}
        onClick={() => banners.dismiss(banner.id)}
      >
        <X aria-hidden="true" />
      </button>
    </div>
  ));
}
