import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { toApiError } from '../../client/errors.ts';
import type { MakeCall } from '../../contract/call.ts';
import { isDesktopActive } from '../../contract/resources.ts';
import { browserPorts } from '../terminal/browser-ports.ts';
import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { Desktop, type DesktopHandle, type DesktopPorts } from './Desktop.tsx';
import styles from './desktop.module.css';

/** What a desktop needs of the page that it is on. Must stay the same object while the same desktop is shown. */
export interface OpenDesktopPorts extends Omit<DesktopPorts, 'connection'> {
  /** A bearer token that is good now. */
  token(): string | Promise<string>;
  readonly call: MakeCall;
  prove(title: string, challenge: string, onGone: (run: () => void) => void, again: boolean): Promise<string>;
}

/** One desktop, as one login, once it is known whether somebody is on it. */
export function OpenDesktop(props: {
  readonly clusterId: string;
  readonly name: string;
  readonly login: string;
  readonly place: 'page' | 'tab';
  readonly isFront: boolean;
  readonly handle?: Ref<DesktopHandle>;
  readonly ports: OpenDesktopPorts;
}) {
  const { clusterId, name, login, ports } = props;
  const [found, setFound] = useState<{ readonly isTaken: boolean } | { readonly problem: string } | null>(null);
  const [tries, setTries] = useState(0);
  const again = useRef<HTMLButtonElement>(null);
  const problem = found !== null && 'problem' in found ? found.problem : '';
  useImperativeHandle(problem === '' ? null : props.handle, () => ({
    focus: () => again.current?.focus(),
    reconnect: () => setTries(times => times + 1),
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks anew
  useEffect(() => {
    let isGone = false;
    setFound(null);
    ports.call(isDesktopActive, { params: { clusterId, name } }).then(
      ({ active }) => !isGone && setFound({ isTaken: active }),
      (error: unknown) => {
        if (isGone) return;
        const why = toApiError(error).message;
        setFound({ problem: why });
        ports.stands({ kind: 'over', why });
      },
    );
    return () => {
      isGone = true;
    };
  }, [ports, clusterId, name, tries]);
  const all = useMemo<DesktopPorts>(() => {
    const { prove, token, call: _call, ...others } = ports;
    return {
      ...others,
      connection: {
        ...browserPorts(clusterId, token),
        connect: address =>
          new WebSocket(location.origin.replace(/^http/, 'ws') + address) as unknown as ReturnType<
            DesktopPorts['connection']['connect']
          >,
        prove: (challenge, onGone) => prove(`${login}@${name}`, challenge, onGone, false),
      },
    };
  }, [ports, clusterId, login, name]);
  if (found === null) return <Spinner />;
  if ('problem' in found)
    return (
      <div className={styles.desktop}>
        <div className={styles.stage}>
          <div className={styles.over}>
            <div className={styles.said}>
              <Alert>{found.problem}</Alert>
              <p className={styles.actions}>
                <Button ref={again} kind="primary" onClick={() => setTries(times => times + 1)}>
                  Try again
                </Button>
              </p>
            </div>
          </div>
        </div>
      </div>
    );
  return <Desktop key={`${login}@${name}`} {...props} isTaken={found.isTaken} ports={all} />;
}
