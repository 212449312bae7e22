import { expect, test, vi } from 'vitest';
import { createSyncRounds, type SyncedFile } from './sync-rounds.ts';

/** A disk that answers when it is told to. */
function slowDisk() {
  const begun: string[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const file = (name: string): SyncedFile => ({
    datasync: () =>
      new Promise((done, fail) => {
        begun.push(name);
        answers.push(error => (error ? fail(error) : done()));
      }),
  });
  const begins = (...names: readonly string[]) => vi.waitFor(() => expect(begun).toEqual(names));
  return { file, begins, begun, answer: (error?: Error) => answers.shift()?.(error) };
}

test('files are pushed to the disk one after the other, and one that changes meanwhile once more', async () => {
  const disk = slowDisk();
  const rounds = createSyncRounds(1);
  const [one, two] = [disk.file('one'), disk.file('two')];
  const failed = vi.fn();
  rounds.changed(one, failed);
  rounds.changed(two, failed);
  rounds.changed(one, failed);
  await disk.begins('one');
  rounds.changed(one, failed);
  disk.answer();
  await disk.begins('one', 'two');
  disk.answer();
  await disk.begins('one', 'two', 'one');
  disk.answer();
  expect(failed).not.toHaveBeenCalled();
});

test('a file that the disk refuses is told of, and holds up no other; one that was closed is left alone', async () => {
  const disk = slowDisk();
  const rounds = createSyncRounds(1);
  const [one, two, three] = [disk.file('one'), disk.file('two'), disk.file('three')];
  const [failed, fine] = [vi.fn(), vi.fn()];
  rounds.changed(one, failed);
  rounds.changed(two, fine);
  rounds.changed(three, fine);
  await disk.begins('one');
  rounds.forget(two);
  disk.answer(new Error('the disk is full'));
  await disk.begins('one', 'three');
  disk.answer();
  expect(failed.mock.calls).toEqual([[new Error('the disk is full')]]);
  expect(fine).not.toHaveBeenCalled();
});
