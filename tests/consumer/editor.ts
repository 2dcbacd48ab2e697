import { join } from 'node:path';

import ts from 'typescript';

/** What an editor shows at a place in a program. */
export interface Hover {
  readonly signature: string;
  readonly text: string;
  readonly tags: readonly string[];
}

/** The language service that editors ask, over one file of a project. */
export class Editor {
  readonly #file: string;
  readonly #service: ts.LanguageService;
  #code = '';
  #version = 0;

  constructor(folder: string) {
    this.#file = join(folder, 'open-in-the-editor.ts');
    const { fileExists, readFile, readDirectory, directoryExists, getDirectories } = ts.sys;
    const isOpen = (name: string) => name === this.#file;
    this.#service = ts.createLanguageService({
      getScriptFileNames: () => [this.#file],
      getScriptVersion: (name) => (isOpen(name) ? `${this.#version}` : '0'),
      getScriptSnapshot: (name) => {
        const text = isOpen(name) ? this.#code : readFile(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => folder,
      getCompilationSettings: () => ({
        strict: true,
        exactOptionalPropertyTypes: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
        types: ['node'],
      }),
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (name) => isOpen(name) || fileExists(name),
      readFile,
      readDirectory,
      directoryExists,
      getDirectories,
    });
  }

  /** Opens a program and gives where its cursors are, each written `~`. */
  #open(program: string): readonly number[] {
    const parts = program.split('~');
    this.#code = parts.join('');
    this.#version++;
    let offset = 0;
    return parts.slice(0, -1).map((part) => {
      offset += part.length;
      return offset;
    });
  }

  hover(program: string): Hover {
    return this.hovers(program)[0]!;
  }

  /** What is shown at each cursor. */
  hovers(program: string): readonly Hover[] {
    return this.#open(program).map((cursor) => this.#hoverAt(cursor, program));
  }

  #hoverAt(cursor: number, program: string): Hover {
    const info = this.#service.getQuickInfoAtPosition(this.#file, cursor);
    if (info === undefined) throw new Error(`nothing to show in ${program}`);
    return {
      // An alias has a second line that only repeats its name.
      signature: ts.displayPartsToString(info.displayParts).replace(/\n(?:export|import) [\s\S]*$/, ''),
      text: ts.displayPartsToString(info.documentation),
      tags: (info.tags ?? []).map(({ name }) => name),
    };
  }

  /** The fields that are offered, in the order of their names. */
  completions(program: string): readonly string[] {
    const offered = this.#service.getCompletionsAtPosition(this.#file, this.#open(program)[0]!, {});
    return (offered?.entries ?? []).map(({ name }) => name).sort();
  }

  /** Where "go to definition" leads: files of the project. */
  definitions(program: string): readonly string[] {
    const found = this.#service.getDefinitionAtPosition(this.#file, this.#open(program)[0]!) ?? [];
    return found.map(({ fileName }) => fileName);
  }

  dispose(): void {
    this.#service.dispose();
  }
}
