/** Uploading SIS files in tests, as the console does it. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { ErrorBody } from '@lms-admin/contract/errors';
import { type SisFile, sisFile } from '@lms-admin/contract/sis-files';
import yazl from 'yazl';
import type { Browser } from '../support/browser.ts';

export interface Answered {
  status: number;
  file: SisFile | null;
  error: ErrorBody | null;
}

/** Uploads a text or bytes; the answer is checked against the contract. */
export async function upload(
  browser: Browser,
  content: string | Uint8Array,
  name = 'file.csv',
): Promise<Answered> {
  const form = new FormData();
  form.set('url', 'accounts/1/sis_imports');
  form.set('header', '{}');
  form.set('file', new File([content as Uint8Array<ArrayBuffer>], name));
  const response = await browser.fetch(ENDPOINTS.sisFiles, { method: 'POST', body: form });
  return answered(response);
}

export async function answered(response: Response): Promise<Answered> {
  const body = await response.json();
  return {
    status: response.status,
    file: response.status === 200 ? sisFile.parse(body.data) : null,
    error: body.error ?? null,
  };
}

/** A file that must pass. */
export async function uploaded(browser: Browser, content: string | Uint8Array, name?: string) {
  const { file, error } = await upload(browser, content, name);
  if (!file) throw new Error(JSON.stringify(error));
  return file;
}

/** Row, field and sentence of each problem. */
export function problemsOf({ error }: Answered): [number | null, string | null, string][] {
  return (error?.details ?? []).map(({ row, field, message }) => [row, field, message]);
}

/** A zip of texts. */
export function zipOf(files: Record<string, string | Buffer>, compress = true): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { compress });
  zip.end();
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    zip.outputStream
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => resolve(Buffer.concat(pieces)))
      .on('error', reject);
  });
}
