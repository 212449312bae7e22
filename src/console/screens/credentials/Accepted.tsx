import { type ReactNode, useEffect, useId } from 'react';
import { captureEvents, precaptureEvent, precaptureEvents } from '../../../contract/capture.ts';
import { to } from '../../../features/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import type { Step, Turn } from '../../wizards/credentials/machine.ts';
import { RecoveryCodes } from '../../wizards/credentials/RecoveryCodes.tsx';
import type { Wording } from '../../wizards/credentials/words.ts';
import { InviteForm } from '../../wizards/invites/InviteForm.tsx';
import { SurveyForm } from '../../wizards/survey/SurveyForm.tsx';
import { Card } from '../Card.tsx';
import { type StartAnswers, usePage } from '../page.tsx';
import { WebLoginDisabled } from '../WebLoginDisabled.tsx';

/** Nobody waits longer for the gateway's log. */
const TOLD_MOST_MS = 1000;
const PASSKEY_KEY = 'p';

/** What follows when the gateway has taken new credentials: the codes to save, what is asked once, and the way in (specification, section 4). */
export function Accepted({
  at,
  user,
  words,
  isNew,
  codes,
  created,
  offersPasskey,
  answers,
  onAnswers,
  onTurn,
}: {
  readonly at: Step;
  readonly user: string;
  readonly words: Wording;
  /** The codes replace others. */
  readonly isNew: boolean;
  readonly codes: readonly string[];
  /** RFC 3339. */
  readonly created: string;
  /** The person may add a passkey and has just set something else. */
  readonly offersPasskey: boolean;
  /** What was answered so far. */
  readonly answers: StartAnswers;
  readonly onAnswers: (answers: StartAnswers) => void;
  readonly onTurn: (turn: Turn) => void;
}): ReactNode {
  const { api, config, enter, keepForStart } = usePage();
  const surveyId = useId();

  /** Tells the gateway's log; nobody waits for it but whoever leaves the page. */
  const tell = (event: string): Promise<unknown> =>
    api(precaptureEvent, { body: { event, username: user }, signal: AbortSignal.timeout(TOLD_MOST_MS) }).catch(
      () => undefined,
    );
  const leave = async (path: string): Promise<void> => {
    keepForStart(answers);
    await tell(captureEvents.completeGoToDashboard);
    enter(path);
  };
  const createPasskey = (): void => void leave(to('accountDevices', {}, { add: 'passkey' }));
  const hearsPasskey = at === 'done' && offersPasskey;
  useEffect(() => {
    if (!hearsPasskey) return;
    const hear = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === PASSKEY_KEY && !event.ctrlKey && !event.metaKey && !event.altKey) createPasskey();
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  });

  switch (at) {
    case 'webLoginDisabled':
      return <WebLoginDisabled title={words.disabled} />;
    case 'codes':
      return (
        <Card isWide title={isNew ? 'New Backup & Recovery Codes' : 'Backup & Recovery Codes'}>
          <RecoveryCodes
            codes={codes}
            created={created}
            user={user}
            isNew={isNew}
            onUse={way =>
              void tell(way === 'copy' ? precaptureEvents.recoveryCodesCopy : precaptureEvents.recoveryCodesPrint)
            }
            onSaved={() => {
              void tell(precaptureEvents.recoveryCodesContinue);
              onTurn({ kind: 'codesSaved' });
            }}
          />
        </Card>
      );
    case 'invites':
      return (
        <Card title="Invite Collaborators" detail={config.proxyCluster}>
          <InviteForm
            onInvites={invites => {
              onAnswers({ ...answers, invites });
              onTurn({ kind: 'invited' });
            }}
          />
        </Card>
      );
    case 'survey':
      return (
        <Card title="Tell us about your work" detail={config.proxyCluster}>
          <SurveyForm
            id={surveyId}
            onSubmit={survey => {
              void tell(precaptureEvents.questionnaireSubmit);
              onAnswers({ ...answers, survey });
              onTurn({ kind: 'surveyed' });
            }}
          />
          <Button kind="primary" size="large" type="submit" form={surveyId}>
            Submit
          </Button>
        </Card>
      );
    case 'done':
      return (
        <Card title={words.done}>
          <p>
            You are signed in as <strong>{user}</strong>.
          </p>
          <Button kind="primary" size="large" autoFocus onClick={() => void leave('')}>
            {config.isDashboard ? 'Go to Dashboard' : 'Go to Cluster'}
          </Button>
          {offersPasskey && (
            <>
              <p>A passkey signs you in with one touch next time.</p>
              <Button size="large" aria-keyshortcuts={PASSKEY_KEY} onClick={createPasskey}>
                Create a passkey <KeyCap chord={PASSKEY_KEY} />
              </Button>
            </>
          )}
        </Card>
      );
    default:
      return null;
  }
}
