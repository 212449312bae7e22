// Small deaf parts: they know nothing of the product. Screens build from these.
export { Alert } from './Alert.tsx';
export { Button } from './Button.tsx';
export { Dialog } from './Dialog.tsx';
export { Field } from './Field.tsx';
export { joined } from './joined.ts';
export { KeyCap, readableChord } from './KeyCap.tsx';
export { type ListHandle, type ListSlot, ListSlotContext } from './list.ts';
export { Menu } from './Menu.tsx';
export { MenuItem, MenuNote } from './MenuItem.tsx';
export { Pager } from './Pager.tsx';
export { Pills } from './Pills.tsx';
export { RadioGroup } from './RadioGroup.tsx';
export { SearchField } from './SearchField.tsx';
export { Snippet } from './Snippet.tsx';
export { Spinner } from './Spinner.tsx';
export { type Column, type Sort, Table } from './Table.tsx';
export { Tooltip } from './Tooltip.tsx';
