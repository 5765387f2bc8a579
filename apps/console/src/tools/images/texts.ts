/** Texts of the image uploader; prescribed ones are in the contract. */

import { IMAGE_MAX_BYTES } from '@lms-admin/domain/image-files';
import { counted, grouped } from '@lms-admin/domain/numbers';

const images = (count: number) => counted(count, 'image', 'images');
const bytes = (count: number) => counted(count, 'byte', 'bytes');
const KINDS = 'PNG, JPEG, GIF, WebP or ICO';

/** Lists names in one sentence, shortened if there are many. */
function few(names: readonly string[]): string {
  const shown = names.slice(0, 3);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${grouped(more)} more` : shown.join(', ');
}

export const texts = {
  bytes,
  pasted: 'Pasted image',
  drop: {
    label: 'Select images',
    here: 'Drop images here, paste one, or',
    pick: 'Select images',
    limit: `${KINDS}, each up to 100KB (${grouped(IMAGE_MAX_BYTES)} bytes).`,
    reading: 'Checking the files …',
  },
  refused: {
    empty: 'the file is empty.',
    svg: 'SVG images can contain scripts, so they cannot be uploaded. Save the image as PNG and select the new file.',
    falseName:
      'it has the name of an image, but it is not a valid image file. Open it in an image program and save it again.',
    otherKind: (kind: string) => `${kind} images cannot be uploaded. Save the image as ${KINDS}.`,
    noImage: `it is not an image. ${KINDS} can be uploaded.`,
    folder: 'it is a folder. Open it and select the images in it.',
    unread: 'it could not be read. If it is open in another program, close it there and select it again.',
    twice: 'it is already in the list.',
    full: (most: number) =>
      `the list already has ${grouped(most)} images, the maximum. Upload these first, then start over.`,
  },
  added: (count: number, large: number, refused: number) =>
    [
      `${images(count)} added`,
      ...(large > 0 ? [`${grouped(large)} too large`] : []),
      ...(refused > 0 ? [`${grouped(refused)} not added`] : []),
    ].join(', '),
  lost: {
    title: (count: number) =>
      `The page was reloaded before ${count === 1 ? 'an image was' : `${images(count)} were`} uploaded.`,
    titleOnWay: 'The page was reloaded while images were being uploaded.',
    next: (names: readonly string[]) =>
      `Not uploaded: ${few(names)}. Select ${names.length === 1 ? 'it' : 'them'} again. Images that had already been uploaded are among your earlier images.`,
    onWay: (names: readonly string[]) =>
      `Being uploaded at that moment: ${names.join(', ')}. Select again only the images that are not among your earlier images.`,
    dismiss: 'Dismiss',
  },
  large: {
    title: (count: number) =>
      count === 1
        ? '1 image is too large and was not added'
        : `${grouped(count)} images are too large and were not added`,
    list: 'Images that are too large',
    offer: 'Shrink to fit',
    offerOf: (name: string) => `Shrink ${name} to fit`,
    offerAll: (count: number) => `Shrink all ${grouped(count)} to fit`,
    working: 'Shrinking …',
    leave: 'Remove',
    leaveOf: (name: string) => `Remove ${name}`,
    leaveAll: 'Remove all',
    take: 'Add the smaller image',
    takeOf: (name: string) => `Add the smaller ${name}`,
    takeAll: (count: number) => `Add all ${grouped(count)} smaller images`,
    preview: (name: string) => `The smaller ${name}`,
    size: 'Size',
    pixels: 'Pixels',
    sizes: (from: number, to: number) => `${bytes(from)} → ${bytes(to)}`,
    dimensions: (from: string, to: string) => (from === to ? `${to} (unchanged)` : `${from} → ${to}`),
    renamed: (name: string) => `It will be uploaded as ${name}.`,
    nothing: 'Your file is not changed. Nothing is added until you select the button.',
    done: (name: string, size: number) => `${name} can be shrunk to ${bytes(size)}`,
    failed: (name: string, why: string) => `${name} cannot be shrunk here: ${why}`,
  },
  shrink: {
    cannot: 'It cannot be shrunk here:',
    unread: 'the file could not be read. Select it again.',
    broken: 'it could not be opened. It may be damaged. Save it again in an image program.',
    icon: 'an ICO file contains several sizes of an icon, and only one of them would be kept. Save the one you need as PNG.',
    animated:
      'it is animated, but a smaller copy would be a still picture. Use an image compressor for animations.',
    pixels: (width: number, height: number) =>
      `it has ${grouped(width)} × ${grouped(height)} pixels, which is too many to open here. Make it smaller in an image program.`,
    never: 'it is still too large after shrinking. Use an image compressor.',
  },
  table: {
    label: 'Images to upload',
    search: 'Search images to upload',
    empty: 'No images are selected yet.',
    emptyNext:
      'Images that you select are shown here with a preview. Nothing is uploaded until you select the button.',
    waiting: 'Not uploaded yet',
    uploading: 'Uploading',
    uploadingOf: (name: string) => `Uploading ${name}`,
    storing: 'Storing',
    uploaded: 'Uploaded',
    remove: (name: string) => `Delete ${name}`,
    removed: (name: string) => `${name} was removed from the list`,
    copy: (name: string, link: string) => `Copy the link of ${name}: ${link}`,
    takenOut: (what: string) => `Removed from the file: ${what}.`,
    failed: (message: string, next: string) => `${message} ${next}`,
    it: 'It',
    copyAll: 'Copy names and links',
  },
  actions: {
    label: 'Upload',
    nothing: 'No images selected',
    sum: (count: number) => images(count),
    done: (count: number) => `${grouped(count)} uploaded`,
    failed: (count: number) => `${grouped(count)} failed`,
    missing: 'Select at least one image.',
    uploading: (done: number, all: number) => `${grouped(done)} of ${grouped(all)}`,
    stage: 'Uploading images',
    stop: 'Stop',
    stopped: 'Stopped. Uploaded images are kept. Select “Upload Images” to upload the rest.',
    copiedAll: (count: number) =>
      `${counted(count, 'name with its link', 'names with their links')} copied. You can paste them into a spreadsheet.`,
    notCopied: (text: string) => `Your browser does not let this page copy. Select the text here: ${text}`,
    notCopiedAll: 'Your browser does not let this page copy. Copy the links one by one.',
    allUploaded: (count: number) =>
      count === 1 ? 'The image is uploaded.' : `All ${images(count)} are uploaded.`,
    someFailed: (count: number) =>
      `${images(count)} could not be uploaded. The message beside ${count === 1 ? 'it' : 'each'} says what to do. “Upload Images” tries again.`,
    unread: 'The file could not be sent.',
    unreadNext: 'Delete it here and select it again.',
  },
  startOver: {
    title: 'Stop the upload?',
    text: (done: number, open: number) =>
      `${done === 0 ? 'No image has been uploaded yet.' : `${images(done)} ${done === 1 ? 'has' : 'have'} been uploaded.`} If you stop, you have to select ${images(open)} again.`,
    keep: 'Uploaded images stay among your earlier images.',
    stay: 'Keep uploading',
    yes: 'Stop and start over',
  },
  earlier: {
    title: 'Your earlier images',
    label: 'Earlier images',
    search: 'Search earlier images',
    columns: { image: 'Image', name: 'File Name', link: 'Link', size: 'Bytes', when: 'Uploaded' },
    count: (count: number) => images(count),
    pixels: (width: number, height: number) => `${grouped(width)} × ${grouped(height)}`,
    more: 'Show more',
    shown: (shown: number, all: number) => `${grouped(shown)} of ${images(all)} shown`,
    none: 'You have not uploaded any images yet.',
    noneNext: 'Each image that you upload is listed here with its link.',
    nothing: (search: string) => `None of your images match “${search}”.`,
    nothingNext: 'Try fewer letters, or clear the search.',
    failed: 'Your earlier images could not be loaded.',
  },
} as const;
