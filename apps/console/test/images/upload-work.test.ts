import type { ImageUploadRequest } from '@lms-admin/contract/images';
import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorCode } from '../../src/api/errors.ts';
import { UploadWork } from '../../src/tools/images/upload-work.ts';

const failure = (code: ApiErrorCode) =>
  new ApiError(code === 'busy' ? 429 : 400, { code, message: 'No.', next: 'Do it again.', requestId: null });
const answer = ({ name }: ImageUploadRequest) => {
  const link = `https://images.example/icons/${name}`;
  const image = { name, link, type: 'image/png', bytes: 1, width: 1, height: 1, uploaded_at: '' };
  return { fileName: link, image, removed: null };
};
function filled(work: UploadWork, count: number): UploadWork {
  const pictures = Array.from({ length: count }, (_, place) => {
    const name = `${place + 1}.png`;
    return { name, bytes: 1, file: 'data:image/png;base64,AA==', mark: name };
  });
  work.apply({ type: 'add', pictures });
  return work;
}
const ends = (work: UploadWork) => work.get().rows.map(({ state }) => state.at);

describe('clicking Upload Images', () => {
  it('IMG-11 IMG-13 sends each file once, four at a time, all with the same number; a double click counts once', async () => {
    const asked: ImageUploadRequest[] = [];
    let [now, most] = [0, 0];
    const work = filled(
      new UploadWork(async (request) => {
        asked.push(request);
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 1));
        now--;
        return answer(request);
      }),
      200,
    );
    await Promise.all([work.press(), work.press()]);
    expect(work.get().phase).toBe('UPLOADED');
    expect(new Set(asked.map(({ name }) => name)).size).toBe(200);
    expect(asked).toHaveLength(200);
    expect(new Set(asked.map(({ upload }) => upload)).size).toBe(1);
    expect(most).toBe(4);
  });

  it('IMG-14 OP-95 a failed image keeps its reason while the others succeed; the next click sends only that image', async () => {
    const asked: string[] = [];
    const numbers = new Set<string | undefined>();
    let broken = true;
    const work = filled(
      new UploadWork(async (request) => {
        asked.push(request.name);
        numbers.add(request.upload);
        if (broken && request.name === '2.png') throw failure('bad-request');
        return answer(request);
      }),
      3,
    );
    await work.press();
    expect(ends(work)).toEqual(['uploaded', 'failed', 'uploaded']);
    expect(work.get().rows[1]?.state).toMatchObject({ message: 'No.', next: 'Do it again.' });
    broken = false;
    asked.length = 0;
    await work.press();
    expect(asked).toEqual(['2.png']);
    // A retry belongs to the record of the click that first sent the image.
    expect(numbers.size).toBe(1);
    expect(work.get().phase).toBe('UPLOADED');
  });

  it('IMG-11 waits when the server asks for fewer requests, and sends nothing more after sign-out', async () => {
    let times = 0;
    const patient = filled(
      new UploadWork(async (request) => {
        if (++times < 4) throw failure('busy');
        return answer(request);
      }, 1),
      1,
    );
    await patient.press();
    expect([times, patient.get().phase]).toEqual([4, 'UPLOADED']);

    let sent = 0;
    const signedOut = filled(
      new UploadWork(async () => {
        sent++;
        throw failure('signed-out');
      }),
      50,
    );
    await signedOut.press();
    expect(signedOut.get().phase).toBe('NEW');
    expect(ends(signedOut).every((one) => one === 'waiting')).toBe(true);
    expect(sent).toBeLessThanOrEqual(4);
  });

  it('IMG-11 stopping cancels uploads in progress', async () => {
    const work = filled(
      new UploadWork(
        (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
          }),
      ),
      9,
    );
    const pressed = work.press();
    expect(ends(work).filter((one) => one === 'uploading')).toHaveLength(4);
    work.stop();
    await pressed;
    expect(work.get().phase).toBe('NEW');
    expect(ends(work).every((one) => one === 'waiting')).toBe(true);
  });
});
