import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { authenticateChallenge, type Challenge, createPrivilegeToken, isAsked } from '../../../contract/mfa.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { type Proof, ProveDialog } from '../../wizards/credentials/ProveDialog.tsx';
import { usePage } from '../page.tsx';

/** What needs a privilege token: whoever has a device proves first who they are. */
export function Privileged({
  title,
  onCancel,
  children,
}: {
  readonly title: string;
  readonly onCancel: () => void;
  /** Drawn with the token: five minutes, good for one change. */
  readonly children: (token: string) => ReactNode;
}) {
  const { api } = usePage();
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState('');
  const ask = useCallback(() => api(authenticateChallenge), [api]);
  const prove = useCallback(
    async ({ code, assertion }: Proof): Promise<void> => {
      const body = { secondFactorToken: code ?? null, webauthnAssertionResponse: assertion ?? null };
      setToken(await api(createPrivilegeToken, { body }));
    },
    [api],
  );
  useEffect(() => {
    let isGone = false;
    ask()
      .then(async asked => {
        if (isGone) return;
        if (isAsked(asked)) setChallenge(asked);
        else await prove({});
      })
      .catch((error: unknown) => isGone || setProblem(toApiError(error).message));
    return () => {
      isGone = true;
    };
  }, [ask, prove]);
  if (token !== '') return children(token);
  if (problem !== '')
    return (
      <Dialog title={title} actions={<Button onClick={onCancel}>Close</Button>}>
        <Alert>{problem}</Alert>
      </Dialog>
    );
  return (
    challenge && <ProveDialog title={title} challenge={challenge} askAgain={ask} onProof={prove} onCancel={onCancel} />
  );
}
