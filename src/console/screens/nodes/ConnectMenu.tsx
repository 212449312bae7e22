import { useState } from 'react';
import { wrongLogin } from '../../../../commands/login.ts';
import { MenuField } from '../../ui/MenuField.tsx';
import { MenuItem, MenuNote } from '../../ui/MenuItem.tsx';

/** Logins that the roles allow, root first, and a field for any other; the gateway decides. */
export function ConnectMenu({
  logins,
  onConnect,
}: {
  readonly logins: readonly string[];
  readonly onConnect: (login: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const shown = logins.filter(login => login.toLowerCase().includes(typed.trim().toLowerCase()));
  const submit = (): void => {
    const login = typed.trim() === '' ? (logins[0] ?? '') : typed.trim();
    const wrong = wrongLogin(login);
    if (wrong === undefined) onConnect(login);
    else setProblem(wrong);
  };
  return (
    <>
      <MenuField
        label="Login"
        mono
        value={typed}
        onType={text => {
          setTyped(text);
          setProblem('');
        }}
        onKeyDown={event => {
          if (event.key === 'Enter') submit();
        }}
      />
      {problem !== '' && <MenuNote>{problem}</MenuNote>}
      {shown.length > 0 && (
        <div role="menu" aria-label="Logins">
          {shown.map(login => (
            <MenuItem key={login} onChoose={() => onConnect(login)}>
              <code>{login}</code>
            </MenuItem>
          ))}
        </div>
      )}
    </>
  );
}
