import { useCallback, useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { recoveryCodesLeft, renewRecoveryCodes } from '../../../contract/mfa.ts';
import { dateTime } from '../../../features/times.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { RecoveryCodes } from '../../wizards/credentials/RecoveryCodes.tsx';
import { usePage } from '../page.tsx';
import styles from './account.module.css';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Privileged } from './Privileged.tsx';

/** How many recovery codes are left, and new ones in place of the old: `?codes=new`. */
export function Codes({ user }: { readonly user: string }) {
  const { api, query, setQuery } = usePage();
  const [said, setSaid] = useState('');
  const [given, setGiven] = useState<{ readonly codes: readonly string[]; readonly created: string } | null>(null);
  const load = useCallback(() => {
    api(recoveryCodesLeft).then(
      ({ left, created }) =>
        setSaid(
          created === undefined
            ? 'You have no recovery codes.'
            : `${left} of your recovery codes ${left === 1 ? 'is' : 'are'} left, made on ${dateTime(created)}.`,
        ),
      (error: unknown) => setSaid(toApiError(error).message),
    );
  }, [api]);
  useEffect(load, [load]);
  const close = (): void => {
    setQuery({ codes: undefined });
    setGiven(null);
    load();
  };
  return (
    <section className={styles.card} aria-labelledby="account-codes">
      <h2 id="account-codes">Recovery codes</h2>
      <p className={styles.said}>Each of them brings you back once when your password or your device is lost. {said}</p>
      <CommandButton id="account.renewCodes" />
      {query.codes === 'new' && given === null && (
        <Privileged title="Make new recovery codes" onCancel={close}>
          {tokenId => (
            <ConfirmDialog
              title="Make new recovery codes?"
              text="The codes that you have now stop working."
              action="Make new codes"
              onConfirm={async () => {
                const { codes = [], created = '' } = await api(renewRecoveryCodes, { body: { tokenId } });
                setGiven({ codes, created });
              }}
              onCancel={close}
            />
          )}
        </Privileged>
      )}
      {given !== null && (
        <Dialog title="New Backup & Recovery Codes" size="wide">
          <RecoveryCodes {...given} user={user} isNew onSaved={close} />
        </Dialog>
      )}
    </section>
  );
}
