import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { MenuField } from '../ui/MenuField.tsx';
import { MenuCheck, MenuNote } from '../ui/MenuItem.tsx';
import { useChoices } from './choices.ts';
import { viewChange, viewSearch, withView } from './list-choices.ts';
import styles from './list-page.module.css';
import { usePage } from './page.tsx';

/** Named queries of one list: choose one, save what is on screen, delete one. */
export function ViewsPanel({
  list,
  canPin,
  onClose,
}: {
  readonly list: string;
  readonly canPin: boolean;
  readonly onClose: () => void;
}) {
  const page = usePage();
  const { choices, choose } = useChoices();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const views = choices.views[list] ?? [];
  const now = viewSearch(page.query);
  const builtIn = canPin
    ? [
        { title: 'All', search: '' },
        { title: 'Pinned', search: 'show=pinned' },
        { title: 'Used lately', search: 'show=recent' },
      ]
    : [{ title: 'All', search: '' }];
  const change = (next: readonly { readonly title: string; readonly search: string }[]): void =>
    choose({ views: { ...choices.views, [list]: [...next] } });
  const pick = (search: string): void => {
    onClose();
    page.setQuery(viewChange(page.query, search));
  };
  return (
    <>
      <div role="menu" aria-label="Views">
        {builtIn.map(view => (
          <MenuCheck key={view.title} isOne isOn={now === view.search} onToggle={() => pick(view.search)}>
            {view.title}
          </MenuCheck>
        ))}
      </div>
      {views.map(view => (
        <div key={view.title} className={styles.view}>
          <div role="menu" aria-label={view.title} className={styles.viewName}>
            <MenuCheck isOne isOn={now === view.search} onToggle={() => pick(view.search)}>
              {view.title}
            </MenuCheck>
          </div>
          <Button
            kind="quiet"
            size="dense"
            aria-label={`Delete the view ${view.title}`}
            icon={<Trash2 aria-hidden="true" />}
            onClick={() => change(views.filter(other => other.title !== view.title))}
          />
        </div>
      ))}
      <form
        className={styles.viewForm}
        onSubmit={event => {
          event.preventDefault();
          try {
            change(withView(views, name, now));
            setName('');
            setProblem('');
            page.notify(`The view ${name.trim()} has been saved`);
            onClose();
          } catch (error) {
            setProblem(error instanceof Error ? error.message : 'This view cannot be saved');
          }
        }}
      >
        <MenuField label="Name of a new view" placeholder="Save this view as…" value={name} onType={setName} />
        <Button type="submit" size="dense">
          Save
        </Button>
      </form>
      {problem !== '' && (
        <div role="alert">
          <MenuNote>{problem}</MenuNote>
        </div>
      )}
    </>
  );
}
