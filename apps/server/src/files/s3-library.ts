/**
 * The functions used from the S3 library. Imported by name, since a lazily loaded bundle has all names in one object.
 */
export {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
