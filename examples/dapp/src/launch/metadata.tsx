// The token's image and its metadata file: chosen and written here, hosted elsewhere, and checked where they are.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { fetchMetadata, IMAGE_BYTES, IMAGE_TYPES, toFileUrl } from '../files';
import { formatAmount, sanitizeText } from '../format';
import { useNetwork } from '../network/network';
import { Button, Field, Problem } from '../ui';
import type { FieldProps, LaunchForm } from './launch';

/** What is at the metadata's address. Nothing is asked for before the address is whole. */
export function useMetadata(uri: string) {
  const network = useNetwork();
  return useQuery({
    queryKey: [network.rpcUrl, 'metadata', uri],
    queryFn: ({ signal }) => fetchMetadata(network, uri, signal),
    enabled: toFileUrl(uri) !== undefined,
    retry: false,
  });
}

interface MetadataProps {
  form: LaunchForm;
  field: (name: keyof LaunchForm) => FieldProps;
  /** A picture from this machine, for the preview. */
  onPick: (url: string | undefined) => void;
}

export function Metadata({ form, field, onPick }: MetadataProps) {
  const [problem, setProblem] = useState<string>();
  const [picked, setPicked] = useState<string>();
  useEffect(() => () => URL.revokeObjectURL(picked ?? ''), [picked]);
  const { name, symbol, description, image, uri } = form;
  const { data: file, error, isFetching } = useMetadata(uri.trim());
  const pick = (chosen: File | undefined) => {
    const isImage = chosen && IMAGE_TYPES.includes(chosen.type);
    const isSmall = chosen && chosen.size <= IMAGE_BYTES;
    const most = formatAmount(BigInt(IMAGE_BYTES / 1_000), 0);
    setProblem(
      chosen && !(isImage && isSmall)
        ? `Choose a PNG, JPEG, GIF, WebP or AVIF of at most ${most} kB, so that every page shows it.`
        : undefined,
    );
    const url = isImage && isSmall ? URL.createObjectURL(chosen) : undefined;
    setPicked(url);
    onPick(url);
  };
  const canSave = Boolean(name.trim() && symbol.trim() && toFileUrl(image.trim()));
  const save = () => {
    const json = {
      name: name.trim(),
      symbol: symbol.trim(),
      description: description.trim(),
      image: image.trim(),
    };
    const url = URL.createObjectURL(new Blob([JSON.stringify(json, null, 2)], { type: 'application/json' }));
    Object.assign(document.createElement('a'), { href: url, download: 'metadata.json' }).click();
    URL.revokeObjectURL(url);
  };
  const same = (what: 'name' | 'symbol') =>
    file?.json[what] === form[what].trim()
      ? `✓ The ${what} is the same`
      : `✕ The ${what} there is “${sanitizeText(String(file?.json[what] ?? 'missing'))}”`;
  const shown = file?.image ? '✓ The image can be shown' : '✕ The image there can’t be shown';
  const checks = file && [same('name'), same('symbol'), shown];
  return (
    <>
      <Field label="Description" hint="Optional." {...field('description')} />
      <div className="field">
        <label htmlFor="picture">Image</label>
        <input
          id="picture"
          type="file"
          accept={IMAGE_TYPES.join()}
          aria-describedby="picture-hint"
          onChange={({ target }) => pick(target.files?.[0])}
        />
        <div id="picture-hint">
          {problem ? (
            <Problem>{problem}</Problem>
          ) : (
            <p className="quiet">Square, shown small. It stays on your machine.</p>
          )}
        </div>
      </div>
      <details>
        <summary>Where to host it, and how</summary>
        <ol className="steps quiet">
          <li>
            Upload the image, to IPFS (Pinata, Filebase), to Arweave (ArDrive, Irys) or to your own https
            server.
          </li>
          <li>Put its address below, save the metadata file, and upload that file, too.</li>
          <li>Put the file’s address below. The page checks what others will see.</li>
        </ol>
        <p className="quiet">
          On IPFS and Arweave nobody can change a file later. A server of your own must allow other pages to
          read it (CORS), and stay online.
        </p>
      </details>
      <Field label="Image address" placeholder="https://…" inputMode="url" {...field('image')} />
      <Button
        className={canSave ? undefined : 'waits'}
        aria-disabled={!canSave}
        onClick={() => canSave && save()}
      >
        Save the metadata file
      </Button>
      <Field
        label="Metadata address"
        placeholder="https://…"
        inputMode="url"
        hint="Final: nobody can change it after the launch."
        {...field('uri')}
      />
      <div className="checks" role="status">
        {isFetching && <p className="quiet">Reading the file…</p>}
        {error && <p className="warn">The file can’t be read or is not JSON. Others would see no image.</p>}
        {checks && (
          <ul>
            {checks.map((check) => (
              <li key={check} className={check.startsWith('✓') ? 'up' : 'warn'}>
                {check}
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}
