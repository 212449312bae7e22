import type { ReactNode } from 'react';
import { follow } from './navigation.ts';

/** A link of the frame, which stands on no page. */
export function StatusLink({ to: path, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <a
      href={path}
      onClick={event => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        follow(path);
      }}
    >
      {children}
    </a>
  );
}
