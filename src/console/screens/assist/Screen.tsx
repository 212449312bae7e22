import { useEffect, useState } from 'react';
import { usePage } from '../page.tsx';
import styles from './assist.module.css';
import { Chat } from './Chat.tsx';
import { useAssist } from './use-assist.ts';

/** The assistant as a page; the address names the conversation. */
export default function AssistPage() {
  const { params, go } = usePage();
  const assist = useAssist();
  /** Beside the thread where there is room. */
  const [wide, setWide] = useState(() => matchMedia('(min-width: 1056px)').matches);
  const [isRoomy] = useState(wide);
  const wanted = params.conversationId ?? '';
  useEffect(() => void assist.open(wanted), [assist, wanted]);
  return (
    <div className={styles.page}>
      <Chat
        assist={assist}
        wide={wide}
        level={1}
        takesKeys
        {...(isRoomy && { onHistory: () => setWide(!wide) })}
        onOpen={id => {
          if (id !== wanted) go('assist', id === '' ? {} : { conversationId: id });
        }}
      />
    </div>
  );
}
