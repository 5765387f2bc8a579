/** Calls a running sandbox the way a script with the admin token would. */

import { crc32, deflateRawSync } from 'node:zlib';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/server.ts';

/** The parts of a SisImport that tests check (§7.2). */
export interface SisImport {
  id: number;
  workflow_state: string;
  progress: number;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
  data: {
    import_type: string;
    supplied_batches: string[];
    completed_importers: string[];
    running_immediately: boolean;
    counts: Record<string, number>;
    statistics: Record<string, Record<string, number>>;
    error_message?: string;
    stack_trace?: string;
  };
  processing_warnings?: [string | null, string][];
  processing_errors?: [string | null, string][];
  errors_attachment?: { display_name: string; url: string; size: number };
  csv_attachments?: { display_name: string; filename: string; url: string; size: number }[];
  diffed_csv_attachments?: { display_name: string; url: string }[];
  [key: string]: unknown;
}

const FINAL = /^(?:imported|imported_with_messages|failed|failed_with_messages|aborted)$/;

export class Client {
  readonly sandbox: Sandbox;
  readonly imports: string;

  private constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
    this.imports = `${sandbox.url}/api/v1/accounts/1/sis_imports`;
  }

  static async start(options: Partial<SandboxOptions> = {}): Promise<Client> {
    const sandbox = await startSandbox({
      port: 0,
      mode: 'test',
      importPace: 'instant',
      throttle: false,
      ...options,
    });
    return new Client(sandbox);
  }

  get world() {
    return this.sandbox.world;
  }

  fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const address = url.startsWith('http') ? url : `${this.sandbox.url}/api/v1${url}`;
    const headers = new Headers(init.headers);
    headers.set('authorization', 'Bearer sandbox-admin-token');
    return fetch(address, { ...init, headers });
  }

  async json<T = Record<string, unknown>>(url: string, init: RequestInit = {}): Promise<T> {
    const response = await this.fetch(url, init);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** Uploads as multipart and returns the answer itself. */
  post(bytes: string | Buffer, name = 'data.csv', params: Record<string, string> = {}): Promise<Response> {
    const form = new FormData();
    for (const [key, value] of Object.entries(params)) form.append(key, value);
    form.append('attachment', new Blob([new Uint8Array(Buffer.from(bytes))]), name);
    return this.fetch(this.imports, { method: 'POST', body: form });
  }

  /** Uploads and waits for the final state. */
  async import(
    bytes: string | Buffer,
    params: Record<string, string> = {},
    name = 'data.csv',
  ): Promise<SisImport> {
    const response = await this.post(bytes, name, params);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const { id } = (await response.json()) as SisImport;
    return this.finished(id);
  }

  /** Imports the lines of one CSV file. */
  csv(...lines: string[]): Promise<SisImport> {
    return this.import(`${lines.join('\n')}\n`);
  }

  async finished(id: number): Promise<SisImport> {
    for (;;) {
      const read = await this.json<SisImport>(`${this.imports}/${id}`);
      if (FINAL.test(read.workflow_state)) return read;
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
  }

  /** Undoes an import and waits for the undo to end. */
  async restore(id: number, query = ''): Promise<SisImport> {
    const started = await this.json<{ id: number }>(`${this.imports}/${id}/restore_states${query}`, {
      method: 'PUT',
    });
    for (;;) {
      const progress = await this.json<{ workflow_state: string }>(`/progress/${started.id}`);
      if (['completed', 'failed'].includes(progress.workflow_state)) break;
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
    return this.json<SisImport>(`${this.imports}/${id}`);
  }
}

/** Returns the texts of the warnings. */
export function warnings(read: SisImport): string[] {
  return (read.processing_warnings ?? []).map(([, text]) => text);
}

/** Returns the texts of the file-level errors. */
export function errors(read: SisImport): string[] {
  return (read.processing_errors ?? []).map(([, text]) => text);
}

/** Creates a course, its people and a section, with the names from Canvas's own examples. */
export async function smallSchool(client: Client): Promise<void> {
  await client.csv(
    'account_id,parent_account_id,name,status',
    'A001,,Humanities,active',
    'A002,A001,English,active',
  );
  await client.csv('term_id,name,status', 'T001,Winter,active');
  await client.csv(
    'course_id,short_name,long_name,account_id,term_id,status',
    'C001,TC 101,Test Course 101,A002,T001,active',
    'C002,TC 102,Test Course 102,A001,T001,active',
  );
  await client.csv('section_id,course_id,name,status', '1B,C001,Sec1,active');
  await client.csv(
    'user_id,login_id,first_name,last_name,email,status',
    'U001,user1,User,Uno,user1@example.com,active',
    'U002,user2,User,Dos,user2@example.com,active',
    'U003,user3,User,Tres,user3@example.com,active',
  );
}

/** Creates a zip archive with these members, because the sandbox itself can only read zips. */
export function zip(members: Record<string, string | Buffer>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(members)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 9 });
    const label = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, label, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, label]));
    locals.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, index, end]);
}
