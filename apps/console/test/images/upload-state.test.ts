import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ImageRow,
  isTaken,
  NOTHING,
  nextState,
  type Picture,
  type UploadEvent,
  type UploadState,
} from '../../src/tools/images/upload-state.ts';

const picture = (name: string, mark = name): Picture => ({ name, bytes: 100, file: 'data:,', mark });
const image = (name: string) => ({
  name,
  link: `https://images.example/icons/${name}`,
  type: 'image/png',
  bytes: 100,
  width: 1,
  height: 1,
  uploaded_at: '2026-11-22T10:00:00Z',
});
const after = (...events: UploadEvent[]): UploadState => events.reduce(nextState, NOTHING);
const add = (...names: string[]): UploadEvent => ({
  type: 'add',
  pictures: names.map((one) => picture(one)),
});
const press: UploadEvent = { type: 'press' };
const began = (id: number): UploadEvent => ({ type: 'started', id, upload: 'u' });
const wentIn = (id: number): UploadEvent[] => [
  began(id),
  { type: 'uploaded', id, answer: { image: image(`${id}.png`), removed: null } },
];
const wentWrong = (id: number): UploadEvent[] => [
  began(id),
  { type: 'failed', id, message: 'It is damaged.', next: 'Save it anew.' },
];
const states = ({ rows }: UploadState) => rows.map(({ state }) => state.at);

describe('images being uploaded', () => {
  it('IMG-05 reasons for rejected files stay until they are dismissed, even when more files are selected', () => {
    const refuse = (text: string): UploadEvent => ({ type: 'refuse', pieces: [{ text, why: 'No image.' }] });
    const more = after(refuse('a.svg'), add('b.png'), { type: 'refuse', pieces: [] }, refuse('c.svg'));
    expect(more.refused.map(({ text }) => text)).toEqual(['a.svg', 'c.svg']);
    expect(nextState(more, { type: 'dismiss' }).refused).toEqual([]);
  });

  it('IMG-11 go through NEW, UPLOADING, UPLOADED', () => {
    const chosen = after(add('a.png', 'b.png'));
    expect(chosen.phase).toBe('NEW');
    const pressed = nextState(chosen, press);
    expect(pressed.phase).toBe('UPLOADING');
    const half = wentIn(1).reduce(nextState, pressed);
    expect(half.phase).toBe('UPLOADING');
    const whole = wentIn(2).reduce(nextState, half);
    expect(whole.phase).toBe('UPLOADED');
    expect(states(whole)).toEqual(['uploaded', 'uploaded']);
  });

  it('OP-95 become UPLOADED only once all have succeeded; the next click sends the failed ones', () => {
    const failed = after(add('a.png', 'b.png'), press, ...wentIn(1), ...wentWrong(2));
    expect(failed.phase).toBe('NEW');
    expect(failed.rows[1]?.state).toEqual({ at: 'failed', message: 'It is damaged.', next: 'Save it anew.' });
    const again = nextState(failed, press);
    expect(again.run).toEqual([2]);
    expect(again.pressed).toBe(1);
    expect(wentIn(2).reduce(nextState, again).phase).toBe('UPLOADED');
  });

  it('OP-95 become UPLOADED when the failed one is deleted', () => {
    const failed = after(add('a.png', 'b.png'), press, ...wentIn(1), ...wentWrong(2));
    expect(nextState(failed, { type: 'remove', id: 2 }).phase).toBe('UPLOADED');
  });

  it('IMG-09 a click does nothing in states other than NEW, or without images', () => {
    expect(after(press)).toBe(NOTHING);
    const pressed = after(add('a.png'), press);
    expect(nextState(pressed, press)).toBe(pressed);
    const whole = after(add('a.png'), press, ...wentIn(1));
    expect(nextState(whole, press)).toBe(whole);
  });

  it('IMG-11 adding an image after the upload makes the state NEW again; the next click sends only that image', () => {
    const more = after(add('a.png'), press, ...wentIn(1), add('b.png'));
    expect(more.phase).toBe('NEW');
    expect(nextState(more, press).run).toEqual([2]);
    const meanwhile = after(add('a.png'), press, add('b.png'));
    expect(meanwhile.phase).toBe('UPLOADING');
    expect(wentIn(1).reduce(nextState, meanwhile).phase).toBe('NEW');
  });

  it('IMG-03 the same file is added once, and the remaining images are renumbered', () => {
    const twice = after(add('a.png', 'b.png', 'a.png'), add('b.png', 'c.png'));
    expect(twice.rows.map(({ name, number }) => [number, name])).toEqual([
      [1, 'a.png'],
      [2, 'b.png'],
      [3, 'c.png'],
    ]);
    const less = nextState(twice, { type: 'remove', id: 1 });
    expect(less.rows.map(({ number, id }) => [number, id])).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect(isTaken(less, 'a.png')).toBe(false);
    expect(isTaken(less, 'c.png')).toBe(true);
  });

  it('IMG-08 a waiting image can be deleted, even during an upload, but not one that is being sent or has been uploaded', () => {
    const pressed = after(add('a.png', 'b.png', 'c.png'), press, ...wentIn(1), began(2));
    expect(nextState(pressed, { type: 'remove', id: 1 })).toBe(pressed);
    expect(nextState(pressed, { type: 'remove', id: 2 })).toBe(pressed);
    const less = nextState(pressed, { type: 'remove', id: 3 });
    expect([less.run, less.pressed]).toEqual([[2], 2]);
  });

  it('IMG-11 stopping leaves unfinished images for the next click, and late answers change nothing', () => {
    const pressed = after(add('a.png', 'b.png'), press, ...wentIn(1), began(2));
    const stopped = nextState(pressed, { type: 'stop' });
    expect([stopped.phase, ...states(stopped)]).toEqual(['NEW', 'uploaded', 'waiting']);
    const late: UploadEvent = { type: 'uploaded', id: 2, answer: { image: image('b.png'), removed: null } };
    expect(nextState(stopped, late)).toBe(stopped);
  });

  it('IMG-05 OP-93 a large file has no row until its smaller copy is added; the original is recognised by its fingerprint', () => {
    const offered = after({
      type: 'large',
      files: [{ name: 'big.png', bytes: 200_000, mark: 'big', source: new Blob() }],
    });
    expect([offered.rows.length, isTaken(offered, 'big')]).toEqual([0, true]);
    expect(nextState(offered, { type: 'take', ids: [1] })).toEqual(offered);
    const { mark: _, ...smaller } = picture('big.webp');
    const size = { width: 10, height: 10 };
    const made = nextState(offered, {
      type: 'shrink',
      id: 1,
      shrink: { at: 'shrunk', picture: smaller, from: size, to: size },
    });
    const taken = nextState(made, { type: 'take', ids: [1] });
    expect(taken.large).toEqual([]);
    expect(taken.rows[0]).toMatchObject({
      name: 'big.webp',
      mark: 'big',
      number: 1,
      state: { at: 'waiting' },
    });
    expect(nextState(offered, { type: 'leave', ids: [1] }).large).toEqual([]);
  });

  it('IMG-11 OP-95 after any actions, UPLOADED means that every image is uploaded, a run contains only existing rows, and numbers start at 1', () => {
    const id = fc.integer({ min: 1, max: 8 });
    const event: fc.Arbitrary<UploadEvent> = fc.oneof(
      fc.constant(press),
      fc.constant<UploadEvent>({ type: 'stop' }),
      fc
        .array(fc.constantFrom('a.png', 'b.png', 'c.png', 'd.png'), { maxLength: 3 })
        .map((names) => add(...names)),
      id.map((one): UploadEvent => ({ type: 'remove', id: one })),
      id.map((one) => began(one)),
      id.map((one): UploadEvent => ({ type: 'sent', id: one, percent: 50 })),
      id.map((one) => wentIn(one)[1] as UploadEvent),
      id.map((one) => wentWrong(one)[1] as UploadEvent),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let state = NOTHING;
        for (const one of events) {
          const uploaded = state.rows.filter((row) => row.state.at === 'uploaded').map((row) => row.id);
          state = nextState(state, one);
          const { phase, rows, run, pressed } = state;
          const all = rows.every((row: ImageRow) => row.state.at === 'uploaded');
          expect(phase === 'UPLOADED').toBe(run.length === 0 && rows.length > 0 && all);
          expect(phase === 'UPLOADING').toBe(run.length > 0);
          expect(run.every((open) => rows.some((row) => row.id === open))).toBe(true);
          expect(pressed).toBeGreaterThanOrEqual(run.length);
          expect(rows.map(({ number }) => number)).toEqual(rows.map((_, place) => place + 1));
          expect(new Set(rows.map(({ mark }) => mark)).size).toBe(rows.length);
          // Uploaded images stay because their links may be in use.
          expect(uploaded.every((one_) => rows.some((row) => row.id === one_))).toBe(true);
        }
      }),
    );
  });
});
