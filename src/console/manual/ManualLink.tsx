import type { ReactNode } from 'react';
import { type ManualLinkId, manualLinks } from '../../features/manual.ts';
import { to } from '../../features/paths.ts';

/** Address of the heading that answers. */
export const manualAddress = (id: ManualLinkId): string => {
  const { chapter, section } = manualLinks[id];
  return to('manual', { chapter }, { section });
};

/** Leads to the heading of the manual that answers here; in a tab of its own, so that what is being written stays. */
export function ManualLink({ id, children }: { readonly id: ManualLinkId; readonly children?: ReactNode }) {
  const { title } = manualLinks[id];
  return (
    <a
      href={manualAddress(id)}
      target="_blank"
      rel="noopener"
      // An icon alone says its words to those who point at it or hear it.
      {...(children === undefined ? {} : { 'aria-label': title, title })}
    >
      {children ?? title}
    </a>
  );
}
