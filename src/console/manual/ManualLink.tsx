import type { ReactNode } from 'react';
import { type ManualLinkId, manualLinks } from '../../features/manual.ts';
import { to } from '../../features/paths.ts';

/** Leads to the heading of the manual that answers here; in a tab of its own, so that what is being written stays. */
export function ManualLink({ id, children }: { readonly id: ManualLinkId; readonly children?: ReactNode }) {
  const { title, chapter, section } = manualLinks[id];
  return (
    <a
      href={to('manual', { chapter }, { section })}
      target="_blank"
      rel="noopener"
      // An icon alone says its words to those who point at it or hear it.
      {...(children === undefined ? {} : { 'aria-label': title, title })}
    >
      {children ?? title}
    </a>
  );
}
