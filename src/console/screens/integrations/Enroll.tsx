import { useState } from 'react';
import { isPluginKind } from '../../../contract/plugin-kinds.ts';
import { isBotGuide } from '../../../features/bot-guides.ts';
import { type EnrollTile, enrollTiles } from '../../../features/integrations.ts';
import { features } from '../../../features/table.ts';
import { NamedIcon } from '../../ui/NamedIcon.tsx';
import { ListPage } from '../ListPage.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { stepThrough } from '../tile-keys.ts';
import styles from '../tiles.module.css';
import { BotGuide } from './BotGuide.tsx';
import { EnrollIntegration } from './EnrollIntegration.tsx';
import { EnrollPlugin } from './EnrollPlugin.tsx';

const icons = { plugin: 'MessageSquare', integration: 'Plug', guide: 'UserCog' } as const;

/** What can be enrolled, as tiles; the address names the one whose form is filled in: `/web/integrations/new/slack`. */
export default function Enroll() {
  const { params, who, config } = usePage();
  const [begun, setBegun] = useState(0);
  const isOpen = (tile: EnrollTile): boolean => who !== null && tile.need({ who, config });
  const chosen = enrollTiles.find(tile => tile.kind === params.type && isOpen(tile));
  if (chosen !== undefined)
    return (
      <ListPage title={`Enroll ${chosen.title}`}>
        {isPluginKind(chosen.kind) ? (
          <EnrollPlugin key={chosen.kind} kind={chosen.kind} />
        ) : isBotGuide(chosen.kind) ? (
          <BotGuide key={chosen.kind} kind={chosen.kind} />
        ) : (
          <EnrollIntegration key={begun} onAnother={() => setBegun(begun + 1)} />
        )}
      </ListPage>
    );
  return (
    <ListPage title={features.enrollIntegration.title}>
      <ul className={styles.tiles} onKeyDown={event => stepThrough(event)}>
        {enrollTiles.map((tile, at) => (
          <li key={tile.kind}>
            <Tile tile={tile} isOpen={isOpen(tile)} isFirst={at === 0} />
          </li>
        ))}
      </ul>
    </ListPage>
  );
}

function Tile({
  tile: { kind, title, detail, type, rule },
  isOpen,
  isFirst,
}: {
  readonly tile: EnrollTile;
  readonly isOpen: boolean;
  readonly isFirst: boolean;
}) {
  const words = (
    <>
      <NamedIcon name={icons[type]} />
      <span className={styles.words}>
        <strong>{title}</strong>
        <span>{isOpen ? detail : `None of your roles allows it (needs ${rule})`}</span>
      </span>
    </>
  );
  return isOpen ? (
    <LinkTo id="enrollIntegration" params={{ type: kind }} className={styles.tile} data-first={isFirst || undefined}>
      {words}
    </LinkTo>
  ) : (
    <button type="button" className={styles.tile} aria-disabled="true">
      {words}
    </button>
  );
}
