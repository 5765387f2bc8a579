import { beforeEach, describe, expect, test } from 'vitest';
import { STORED_PREFIX } from '../../src/api/stored-state.ts';
import { bringBack, clearChosen } from '../../src/app/shell/chosen.ts';
import { enrollmentShape } from '../../src/tools/course-enrollment/enrollment-state.ts';
import { createUsersShape } from '../../src/tools/create-users/create-users-state.ts';
import { groupShape } from '../../src/tools/group-enrollment/group-state.ts';
import { shape as imagesShape } from '../../src/tools/images/upload-work.ts';
import { TYPED } from '../../src/tools/index.ts';
import { sectionShape } from '../../src/tools/section-enrollment/section-state.ts';
import { columnsShape, unsentShape } from '../../src/tools/sis-import/corrections/unsent.ts';
import { runShape } from '../../src/tools/zoom-run/run-state.ts';
import { MemoryStorage } from '../support/memory-storage.ts';

const typed = { one: ['people'] };
let storage: MemoryStorage;
const put = (parts: Record<string, string>, tool = 'one') => {
  for (const [part, text] of Object.entries(parts)) storage.setItem(`${STORED_PREFIX}${tool}:${part}`, text);
};
const kept = () =>
  Object.fromEntries([...storage.kept].map(([name, text]) => [name.slice(STORED_PREFIX.length), text]));
const steps = '{"step":1,"view":"steps"}';

beforeEach(() => {
  storage = new MemoryStorage();
});

describe('SHELL-25 OP-20 selecting a tab', () => {
  test('clears the choices, keeps typed text, and can restore everything', () => {
    put({ people: '[1]', picker: '"MBA"', wizard: steps });
    put({ picker: '"MIM"' }, 'two');
    const before = kept();
    const cleared = clearChosen(typed, storage);
    expect(kept()).toEqual({ 'one:people': '[1]' });
    if (cleared) bringBack(cleared, typed, storage);
    expect(kept()).toEqual(before);
    expect(clearChosen(typed, new MemoryStorage())).toBeNull();
  });

  test("entries and choices made later stay, and another person's plan is not restored", () => {
    put({ people: '[1]', picker: '"MBA"', wizard: steps, prepared: '"plan"' });
    const cleared = clearChosen(typed, storage);
    put({ people: '[1,2]' });
    if (cleared) bringBack(cleared, typed, storage);
    expect(kept()).toEqual({ 'one:people': '[1,2]', 'one:picker': '"MBA"' });
  });

  test('submissions are cleared together with their people, since they are finished', () => {
    put({ people: '[1]', wizard: '{"step":2,"view":"progress"}', submission: '{}' });
    const before = kept();
    const cleared = clearChosen(typed, storage);
    expect(kept()).toEqual({});
    if (cleared) bringBack(cleared, typed, storage);
    expect(kept()).toEqual(before);
  });

  test('finished work is cleared without an offer to restore it', () => {
    const progress = '{"step":2,"view":"progress"}';
    put({
      people: '[1]',
      wizard: progress,
      submission: '{"key":"1","import":null,"logged":["created","ended"]}',
    });
    expect(clearChosen(typed, storage)).toBeNull();
    expect(kept()).toEqual({});
    put({ wizard: progress, submission: '{"key":"1","import":null,"logged":["created"]}' });
    expect(clearChosen(typed, storage)?.size).toBe(1);
  });

  test('the parts that are kept exist in their tools', () => {
    const shapes = {
      'course-enrollment': enrollmentShape,
      'section-enrollment': sectionShape,
      'group-enrollment': groupShape,
      'create-users': createUsersShape,
      'zoom-run': runShape,
      images: imagesShape,
      'sis-import': { ...unsentShape, ...columnsShape },
    };
    expect(Object.keys(TYPED).sort()).toEqual(Object.keys(shapes).sort());
    for (const [tool, shape] of Object.entries(shapes))
      expect(Object.keys(shape)).toEqual(
        expect.arrayContaining([...(TYPED[tool as keyof typeof shapes] ?? [])]),
      );
  });
});
