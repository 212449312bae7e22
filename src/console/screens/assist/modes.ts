// How the assistant is shown beside pages (specification, section 4: view modes).

export const viewModes = [
  { mode: 1, name: 'docked', title: 'Docked: a column beside the page' },
  { mode: 2, name: 'popup', title: 'Popup: over a corner of the page' },
  { mode: 3, name: 'expanded', title: 'Expanded popup' },
  { mode: 4, name: 'expandedWithHistory', title: 'Expanded popup with the conversations beside it' },
] as const;
export type ViewModeName = (typeof viewModes)[number]['name'];

export const nameOfMode = (mode: number): ViewModeName => viewModes.find(one => one.mode === mode)?.name ?? 'docked';
