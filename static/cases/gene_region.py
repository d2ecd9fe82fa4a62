COMPLEMENT = str.maketrans("ACGT", "TGCA")


class GeneRegion:
    """A stretch of DNA with named features, read from and written to GFF lines."""

    STOPS = ("TAA", "TAG", "TGA")

    def __init__(self, sequence):
        """Take over the DNA.

        :param sequence: str, the letters of the forward strand, in any letter case
        """
        self.sequence = sequence.upper()
        self.features = {}

    @staticmethod
    def reverse_complement(sequence):
        """Read a stretch of DNA from the other strand.

        :param sequence: str, the letters of one strand
        :return: str, the letters of the opposite strand, in its own reading direction

        >>> GeneRegion.reverse_complement("AACG")
        'CGTT'
        """
        return sequence.translate(COMPLEMENT)[::-1]

    def add_line(self, line):
        """Add a feature from a line of a GFF file. Comments and empty lines add nothing.

        :param line: str, nine columns separated by tabs; 4 and 5 hold the start and the
            end, 7 the strand, 9 the name
        :return: str, the name of the feature, or None; ValueError if it is not on the DNA

        >>> GeneRegion("ACGT").add_line("# no feature") is None
        True
        """
        line = line.strip()
        if not line or line.startswith("#"):
            return None
        columns = line.split("\t")
        start, end, strand, name = int(columns[3]), int(columns[4]), columns[6], columns[8]
        if not 1 <= start <= end <= len(self.sequence):
            raise ValueError(f"{name} is not on the DNA")
        self.features[name] = (start, end, strand)
        return name

    def mark(self, name, motif, strand="+"):
        """Add a feature where a motif is found first on the forward strand.

        :param name: str, the name of the feature
        :param motif: str, the letters to find
        :param strand: str, the strand noted for the feature, "+" or "-"
        :return: bool, True if the motif was found

        >>> GeneRegion("GGATCC").mark("site", "TTT")
        False
        """
        offset = self.sequence.find(motif.upper())
        if offset < 0:
            return False
        self.features[name] = (offset + 1, offset + len(motif), strand)
        return True

    def letters_of(self, name):
        """Give the letters of a feature in the reading direction of its own strand.

        :param name: str, the name of the feature
        :return: str, the letters; KeyError if there is no such feature

        >>> region = GeneRegion("GGATCC")
        >>> region.mark("site", "GATC")
        True
        >>> region.letters_of("site")
        'GATC'
        """
        start, end, strand = self.features[name]
        letters = self.sequence[start - 1:end]
        if strand == "-":
            return self.reverse_complement(letters)
        return letters

    def overlap(self, one, other):
        """Measure how much of the DNA belongs to both of two features. The strands do not
        matter.

        :param one: str, the name of a feature
        :param other: str, the name of another feature
        :return: int, the number of letters that both share

        >>> region = GeneRegion("AAACCC")
        >>> region.mark("left", "AAA") and region.mark("right", "CCC")
        True
        >>> region.overlap("left", "right")
        0
        """
        start = max(self.features[one][0], self.features[other][0])
        end = min(self.features[one][1], self.features[other][1])
        shared = end - start + 1
        if shared < 0:
            return 0
        return shared

    def coding_part(self, name):
        """Cut a feature into groups of three letters, from its beginning up to the first
        stop. Letters left over at the end make no group.

        :param name: str, the name of the feature
        :return: list of str, the groups without the stop

        >>> region = GeneRegion("ATGCCCTAAGG")
        >>> region.mark("gene", "ATGCCCTAAGG")
        True
        >>> region.coding_part("gene")
        ['ATG', 'CCC']
        """
        letters = self.letters_of(name)
        codons = []
        for offset in range(0, len(letters) - 2, 3):
            codon = letters[offset:offset + 3]
            if codon in self.STOPS:
                break
            codons.append(codon)
        return codons

    def to_lines(self, source):
        """Write all features as lines of a GFF file, in the order of their positions.

        :param source: str, the name of the DNA for the first column
        :return: list of str, the lines, with a dot in each column that is not known

        >>> GeneRegion("ACGT").to_lines("chr1")
        []
        """
        lines = []
        for name, (start, end, strand) in sorted(self.features.items(), key=lambda f: f[1]):
            columns = [source, ".", "region", str(start), str(end), ".", strand, ".", name]
            lines.append("\t".join(columns))
        return lines
