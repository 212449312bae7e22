import { useEffect, useReducer } from 'react';
import type { ScreenPicture as Picture } from '../../../contract/recordings.ts';
import { chosenTheme, onTheme } from '../../terminal/theme.ts';
import styles from './last-screen.module.css';
import { colourOf, lastLines, roomOf } from './picture.ts';

/** A cell of the picture, in units of its own. */
const CELL = { width: 6, height: 12, baseline: 9.5 } as const;

/** A screen in small, in the colours that the person's terminals have. */
export function ScreenPicture({ picture }: { readonly picture: Picture }) {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onTheme(document, drawAgain), []);
  const { theme } = chosenTheme(document);
  const { lines } = picture;
  const { cols, rows } = roomOf(picture);
  const said = lastLines(picture);
  return (
    <svg
      className={styles.picture}
      viewBox={`0 0 ${cols * CELL.width} ${rows * CELL.height}`}
      preserveAspectRatio="xMinYMin meet"
      role="img"
      aria-label={said === '' ? 'The screen was empty' : `Last on the screen: ${said}`}
    >
      <rect width="1000%" height="1000%" fill={colourOf('ground', theme)} />
      {lines.map((line, row) =>
        line.map(([column, cells, text, ink, paper]) => {
          const [x, y, width] = [column * CELL.width, row * CELL.height, cells * CELL.width];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell of the screen is named by its row and column, and stays there
            <g key={`${row} ${column}`}>
              {paper !== '' && <rect x={x} y={y} width={width} height={CELL.height} fill={colourOf(paper, theme)} />}
              {text.trim() !== '' && (
                <text
                  xmlSpace="preserve"
                  x={x}
                  y={y + CELL.baseline}
                  textLength={width}
                  lengthAdjust="spacingAndGlyphs"
                  fill={colourOf(ink || 'text', theme)}
                >
                  {text}
                </text>
              )}
            </g>
          );
        }),
      )}
    </svg>
  );
}
