import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { getUser, traitNames, type User, updateUser } from '../../../contract/users.ts';
import { Alert } from '../../ui/Alert.tsx';
import { ChipField } from '../../ui/ChipField.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { usePage } from '../page.tsx';
import styles from './discover.module.css';
import { GuideStep } from './GuideFrame.tsx';
import { fixedOf, namedLines, roleLines, untaken } from './principals.ts';

type Trait = keyof typeof traitNames;
/** Names of one kind, such as logins. */
export interface Principals {
  readonly trait: Trait;
  /** Field of a role that gives them. */
  readonly field: string;
  readonly label: string;
  readonly tip: string;
}
type Granted = Readonly<Partial<Record<Trait, readonly string[]>>>;

/** As whom it is used: what roles give is shown, one's own names are added to one's user. */
export function PrincipalsStep({
  title,
  kinds,
  granted,
  onAsk,
  onNext,
  onBack,
}: {
  readonly title: string;
  readonly kinds: readonly Principals[];
  /** What the person may use it as now. */
  readonly granted: Granted;
  /** Asks the gateway what is granted now. */
  readonly onAsk: () => Promise<Granted>;
  readonly onNext: () => void;
  readonly onBack: () => void;
}) {
  const { api, who } = usePage();
  const { busy, problem, attempt } = useAttempt();
  const mayEdit = who?.authType === 'local' && who.userAcl.users.edit && who.userAcl.users.read;
  const [user, setUser] = useState<User | null>(null);
  const [names, setNames] = useState<Granted>({});
  const [fault, setFault] = useState('');
  const [unused, setUnused] = useState<readonly Principals[]>([]);
  const name = who?.userName ?? '';
  useEffect(() => {
    if (!mayEdit) return;
    api(getUser, { params: { name } }).then(
      found => {
        setUser(found);
        setNames(found.traits as Granted);
      },
      (error: unknown) => setFault(toApiError(error).message),
    );
  }, [api, mayEdit, name]);
  const own = (trait: Trait): readonly string[] => user?.traits?.[trait] ?? [];
  const wanted = (trait: Trait): readonly string[] => names[trait] ?? [];
  const isChanged = (trait: Trait): boolean => wanted(trait).join('\n') !== own(trait).join('\n');
  const save = (): Promise<void> =>
    attempt(async () => {
      if (user === null || !kinds.some(({ trait }) => isChanged(trait))) return onNext();
      const traits = Object.fromEntries(kinds.map(({ trait }) => [trait, [...wanted(trait)]]));
      setUser(await api(updateUser, { body: { name, roles: user.roles, traits } }));
      const now = await onAsk();
      const left = kinds.filter(({ trait }) => untaken(now[trait] ?? [], wanted(trait)).length > 0);
      setUnused(left);
      if (left.length === 0) onNext();
    });
  return (
    <GuideStep
      title={title}
      problem={problem || fault}
      next={kinds.some(({ trait }) => isChanged(trait)) ? 'Save and go on' : 'Next'}
      isBusy={busy}
      onNext={() => void save()}
      onBack={onBack}
    >
      {mayEdit && user === null && fault === '' && <Spinner />}
      {kinds.map(({ trait, field, label, tip }) => {
        const fixed = fixedOf(granted[trait] ?? [], own(trait));
        return (
          <section key={trait} className={styles.part}>
            {/* Which of them are one's own is not known before the user has come. */}
            {(!mayEdit || user !== null) && (fixed.length > 0 || own(trait).length === 0) && (
              <p>
                {fixed.length === 0
                  ? `Your roles give no ${label.toLowerCase()} here.`
                  : `${label} that your roles give: `}
                {fixed.map(one => (
                  <code key={one} className={styles.name}>
                    {one}
                  </code>
                ))}
              </p>
            )}
            {mayEdit && user !== null && (
              <ChipField
                label={`${label} of your own`}
                tip={tip}
                values={wanted(trait)}
                known={[]}
                before={own(trait)}
                onChange={values => setNames(before => ({ ...before, [trait]: values }))}
              />
            )}
            {!mayEdit && (
              <>
                <p className={styles.aside}>
                  {who?.authType === 'local'
                    ? 'More of them are given by whoever edits users, or by a role:'
                    : 'You sign in elsewhere, so more of them are given by a role, or by what your identity provider says of you:'}
                </p>
                <Snippet label="the lines of a role" text={namedLines(field)} />
              </>
            )}
            {unused.some(one => one.trait === trait) && (
              <Alert kind="warning">
                <p>
                  Saved, but none of your roles takes {untaken(granted[trait] ?? [], wanted(trait)).join(', ')} from
                  your user. A role does with these lines:
                </p>
                <Snippet label="the lines of a role" text={roleLines(field, traitNames[trait])} />
              </Alert>
            )}
          </section>
        );
      })}
    </GuideStep>
  );
}
