// What the build puts in the place of lucide-react's own drawing: its icons' shapes, drawn with the few properties that are used here.
import { type ComponentProps, createElement } from 'react';

interface Shapes {
  readonly node: readonly (readonly [element: string, attributes: Readonly<Record<string, string>>])[];
}

/** Makes the component of one icon: 24 pixels wide unless `size` or a style says otherwise, in the colour of the words around it. */
export default function createIcon({ node }: Shapes) {
  const shapes = node.map(([element, attributes]) => createElement(element, attributes));
  return ({ size = 24, ...props }: ComponentProps<'svg'> & { readonly size?: number }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...props,
      },
      ...shapes,
    );
}
